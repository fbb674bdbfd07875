const UNCLEAR = /^[\s*]*(?:What|Whose|Whoever|Of)\b/;

/** Comments that begin with these words need two readings: they name no subject before the verb. */
export const remarks = {
  rules: {
    opening: {
      meta: { type: 'suggestion', schema: [] },
      create: (context) => ({
        Program() {
          let above;
          for (const comment of context.sourceCode.getAllComments()) {
            const goesOn =
              comment.type === 'Line' &&
              above?.type === 'Line' &&
              above.loc.start.line === comment.loc.start.line - 1 &&
              above.loc.start.column === comment.loc.start.column;
            if (!goesOn && UNCLEAR.test(comment.value)) {
              context.report({
                loc: comment.loc,
                message: 'Begin with the subject or the verb; say why, not what.',
              });
            }
            above = comment;
          }
        },
      }),
    },
  },
};
