/** Stands until the first page does; the same as the shell shows before any script runs. */
export function Splash() {
  return (
    <p className="splash">
      <img src="/icons/icon.svg" alt="" width="28" height="28" />
      Organiser
    </p>
  )
}
