// oxlint-disable-next-line import/no-unassigned-import -- it says what comes with the first file
import './app/everywhere'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from './api/connection'
import { App, fetchAhead } from './app/App'
import { LanguageProvider } from './messages/language'
import { MissingClient } from './parts/Missing'
import { missingReason } from './parts/missing-reason'
import { awaitInstallation } from './service-worker/install'
import { keepClient } from './service-worker/register'
import { startSession } from './session/start'
import { followSession } from './store/lifecycle'

async function start(): Promise<void> {
  fetchAhead()
  keepClient()
  awaitInstallation()
  // Safari has no Temporal yet; other browsers do not fetch this.
  if (
    !('Temporal' in globalThis) &&
    !(await import('temporal-polyfill/global').then(
      () => true,
      () => false,
    ))
  )
    return show(<MissingClient reason={await missingReason()} onTryAgain={() => location.reload()} />)
  watchNetwork()
  followSession()
  startSession()
  show(<App />)
}

function show(client: ReactNode): void {
  const place = document.getElementById('app')
  if (!place) return
  createRoot(place).render(
    <StrictMode>
      <LanguageProvider>{client}</LanguageProvider>
    </StrictMode>,
  )
}
void start()
