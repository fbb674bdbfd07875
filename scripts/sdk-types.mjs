// Writes the types of the clients for Python and Go from the schemas of the OpenAPI document for integrators. The subset of
// JSON Schema that the document uses is small; what is not in it stops the generation.

const HEAD = 'Written by `npm run console:types` from the OpenAPI document for integrators.';

const nameOf = ({ $ref }) => $ref.split('/').at(-1);
const isNull = ({ type }) =>
  type === 'null' || (Array.isArray(type) && type.length === 1 && type[0] === 'null');

/** What a schema says, in one form: which kind it is, and whether null is a value. */
function read(schema) {
  // The events of each type share an envelope; which one it is, is read from `type`.
  if (schema.discriminator) return { kind: 'named', name: 'WebhookEnvelope', nullable: false };
  const parts = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (parts) {
    const [first, ...more] = parts.filter((part) => !isNull(part));
    const nullable = parts.some(isNull);
    // Several shapes: whoever reads it looks at its members.
    return more.length > 0 || !first ? { kind: 'any', nullable } : { ...read(first), nullable };
  }
  if (schema.$ref) return { kind: 'named', name: nameOf(schema), nullable: false };
  const types = [schema.type ?? 'object'].flat();
  const nullable = types.includes('null');
  const [type = 'null'] = types.filter((one) => one !== 'null');
  if (type === 'array') return { kind: 'list', of: read(schema.items), nullable };
  if (type === 'object') {
    if (schema.properties) return { kind: 'object', schema, nullable };
    return { kind: 'map', nullable };
  }
  // A number in binary would round money.
  if (type === 'number' && schema.format === 'decimal') return { kind: 'decimal', nullable };
  const values = schema.enum?.filter((value) => value !== null);
  if (['string', 'integer', 'number', 'boolean', 'null'].includes(type))
    return { kind: type, values, nullable };
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

/** Those that are no more than another one with narrower members have no type of their own. */
const ownShapes = (schemas) => Object.entries(schemas).filter(([, schema]) => !schema.allOf);

const linesOf = (text, prefix) =>
  (text ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => `${prefix}${line.trim()}`);

const PYTHON = {
  string: 'str',
  integer: 'int',
  number: 'float',
  decimal: 'Union[Decimal, int]',
  boolean: 'bool',
  null: 'None',
  any: 'Any',
  map: 'dict[str, Any]',
};

function pythonType({ kind, name, of, nullable, values }) {
  const closed =
    kind === 'string' && values
      ? `Literal[${values.map((value) => JSON.stringify(value)).join(', ')}]`
      : null;
  const plain =
    closed ??
    (kind === 'named'
      ? name
      : kind === 'list'
        ? `list[${pythonType(of)}]`
        : (PYTHON[kind] ?? 'dict[str, Any]'));
  return nullable ? `Optional[${plain}]` : plain;
}

/** Typed dictionaries: what the client returns are dictionaries. Closed sets are those of answers of today: expect more. */
export function pythonTypes(schemas) {
  const classes = ownShapes(schemas).map(([name, schema]) => {
    const required = new Set(schema.required ?? []);
    const members = Object.entries(schema.properties ?? {}).map(([key, member]) => {
      const type = pythonType(read(member));
      return [key, required.has(key) ? type : `NotRequired[${type}]`, member.description];
    });
    const all = members.map(([key, type]) => `        ${JSON.stringify(key)}: ${JSON.stringify(type)},`);
    return [`${name} = TypedDict(`, `    "${name}",`, '    {', ...all, '    },', ')'].join('\n');
  });
  const imports = 'from typing import Any, Literal, Optional, TypedDict, Union, TYPE_CHECKING';
  const later =
    'if TYPE_CHECKING:\n    from decimal import Decimal\n    from typing_extensions import NotRequired';
  return `# ${HEAD}\n${imports}\n\n${later}\n\n${classes.join('\n\n')}\n`;
}

const GO = {
  string: 'string',
  integer: 'int64',
  number: 'float64',
  decimal: 'json.Number',
  boolean: 'bool',
  null: 'any',
  any: 'any',
  map: 'map[string]any',
};
const goName = (key) =>
  key
    .split(/[^A-Za-z0-9]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
    .replace(/Id(?=$|[A-Z])/g, 'ID')
    .replace(/Url(?=$|[A-Z])/g, 'URL');

function goType({ kind, name, of, nullable }, inside = false) {
  if (kind === 'list') return `[]${goType(of, true)}`;
  const plain = kind === 'named' ? goName(name) : (GO[kind] ?? 'map[string]any');
  const isReference = plain === 'any' || plain.startsWith('map');
  return nullable && !isReference && !inside ? `*${plain}` : plain;
}

/** Structs; what need not be sent, or may be null, is a pointer. Fields stand apart, so that gofmt has nothing to align. */
export function goTypes(schemas) {
  const structs = ownShapes(schemas).map(([name, schema]) => {
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties ?? {}).map(([key, member]) => {
      const told = read(member);
      const optional = !required.has(key);
      const type = goType({ ...told, nullable: told.nullable || (optional && told.kind !== 'list') });
      const field = `\t${goName(key)} ${type} \`json:"${key}${optional ? ',omitempty' : ''}"\``;
      return [...linesOf(member.description, '\t// '), field].join('\n');
    });
    return `type ${goName(name)} struct {\n${fields.join('\n\n')}\n}`;
  });
  return `// Code generated by npm run console:types; DO NOT EDIT.\n\npackage vigia\n\nimport "encoding/json"\n\n${structs.join('\n\n')}\n`;
}
