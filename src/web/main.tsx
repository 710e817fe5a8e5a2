// oxlint-disable-next-line import/no-unassigned-import -- it says what comes with the first file
import './app/everywhere'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, fetchAhead } from './app/App'
import { LanguageProvider } from './messages/language'
import { MissingClient } from './parts/Missing'
import { missingReason } from './parts/missing-reason'
import { awaitInstallation } from './service-worker/install'
import { keepClient } from './service-worker/register'
import { started } from './start'

async function draw(): Promise<void> {
  fetchAhead()
  keepClient()
  awaitInstallation()
  if (!(await started))
    return show(<MissingClient reason={await missingReason()} onTryAgain={() => location.reload()} />)
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
void draw()
