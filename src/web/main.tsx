// oxlint-disable-next-line import/no-unassigned-import -- it says what comes with the first file
import './app/everywhere'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { watchNetwork } from './api/connection'
import { App, fetchAhead } from './app/App'
import { LanguageProvider } from './messages/language'
import { awaitInstallation } from './service-worker/install'
import { keepClient } from './service-worker/register'
import { startSession } from './session/start'
import { followSession } from './store/lifecycle'

async function start(): Promise<void> {
  fetchAhead()
  keepClient()
  awaitInstallation()
  // Safari has no Temporal yet; other browsers do not fetch this.
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  watchNetwork()
  followSession()
  startSession()
  const place = document.getElementById('app')
  if (!place) return
  createRoot(place).render(
    <StrictMode>
      <LanguageProvider>
        <App />
      </LanguageProvider>
    </StrictMode>,
  )
}
void start()
