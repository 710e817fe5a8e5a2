/** Short facts in a line, which never begins with what stands between them. */
export const factLine = (facts: readonly string[]): string => facts.join('\u00a0· ')
