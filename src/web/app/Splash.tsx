/** Stands until the first page does; the same as the shell shows before any script runs. */
export const Splash = () => <p className="splash">Organiser</p>
