// Swagger UI has no width for phones, skips levels of headings, and leaves inputs without names: it is put right here,
// whenever it has drawn something.
const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);

const LEVELS = { '.opblock-tag': 2, '.models > h4': 2, 'h4, h5': 3 };
const NAMES = {
  '#servers': 'Server',
  '.body-param__text': 'Body',
  '.examples-select-element': 'Example',
  '.information-container': 'About',
  '.schemes-server-container': 'Server and credentials',
  '.filter-container': 'Filter',
};
const REGIONS = '.information-container, .schemes-server-container, .filter-container';

function set(element, attribute, value) {
  // Only what is missing: a change is heard of again.
  if (!element.hasAttribute(attribute)) element.setAttribute(attribute, value);
}

function correct() {
  for (const [selector, level] of Object.entries(LEVELS)) {
    for (const heading of document.querySelectorAll(`#swagger-ui :is(${selector})`))
      set(heading, 'aria-level', level);
  }
  for (const [selector, name] of Object.entries(NAMES)) {
    for (const input of document.querySelectorAll(`#swagger-ui :is(${selector})`))
      set(input, 'aria-label', name);
  }
  for (const region of document.querySelectorAll(`#swagger-ui :is(${REGIONS})`))
    set(region, 'role', 'region');
  for (const code of document.querySelectorAll('#swagger-ui pre')) set(code, 'tabindex', '0');
}

new MutationObserver(correct).observe(document.querySelector('#swagger-ui'), {
  childList: true,
  subtree: true,
});
