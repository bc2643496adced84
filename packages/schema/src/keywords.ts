/** Every keyword of the 2020-12 vocabularies, after older spellings were rewritten. */
const KEYWORDS = new Set(
  [
    '$anchor $comment $defs $dynamicAnchor $dynamicRef $ref definitions',
    'additionalProperties allOf anyOf contains dependencies dependentSchemas else if items not oneOf patternProperties prefixItems',
    'properties propertyNames then unevaluatedItems unevaluatedProperties',
    'const dependentRequired enum exclusiveMaximum exclusiveMinimum maxContains maxItems maxLength maxProperties maximum',
    'minContains minItems minLength minProperties minimum multipleOf pattern required type uniqueItems',
    'contentEncoding contentMediaType contentSchema format',
    'default deprecated description examples readOnly title writeOnly',
  ].flatMap((line) => line.split(' ')),
);

export function isKeyword(name: string): boolean {
  return KEYWORDS.has(name);
}
