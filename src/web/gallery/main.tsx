import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LanguageProvider } from '../messages/language'
import { FrameSample } from './FrameSample'
import { Gallery } from './Gallery'

const place = document.getElementById('app')
if (place) {
  createRoot(place).render(
    <StrictMode>
      <LanguageProvider>{location.pathname === '/gallery' ? <Gallery /> : <FrameSample />}</LanguageProvider>
    </StrictMode>,
  )
}
