import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { LocationQuery, LocationsView, WeatherView } from './model'
import * as weather from './service'

export const weatherRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'weather.routes', prefix: '/api/weather', tags: ['Weather'] })
    .use(guard)
    .get('', ({ session }) => weather.readWeather(deps, session.owner), {
      session: { scope: 'overview:read', settings: true, slow: true },
      response: { 200: WeatherView, 404: ErrorBody, 502: ErrorBody },
      detail: {
        operationId: 'getWeather',
        summary: 'Read the weather at the saved place',
        description: 'Today and the days after it, in metric units; up to ten minutes old.',
      },
    })
    .get('/search', async ({ query }) => ({ locations: await weather.searchLocations(deps, query.q) }), {
      session: { scope: 'overview:read', slow: true },
      query: LocationQuery,
      response: { 200: LocationsView, 502: ErrorBody },
      detail: {
        operationId: 'searchLocations',
        summary: 'Search for a place',
        description:
          'Several candidates, the best match first. Their coordinates can be saved in the settings.',
      },
    })
