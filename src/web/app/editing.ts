/** The editors, in one file: each opens over any page, or as a page of its own. */
export const editing = () => import('./editors')
