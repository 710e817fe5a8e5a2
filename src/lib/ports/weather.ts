/** A result of a search for a place. Degrees are those of WGS 84. */
export interface Place {
  readonly name: string
  readonly state: string | null
  readonly country: string | null
  readonly countryCode: string | null
  readonly latitude: number
  readonly longitude: number
  /** An IANA name. */
  readonly timeZone: string | null
}

/** Degrees Celsius and millimetres; `weatherCode` is one of WMO 4677. */
export interface DayForecast {
  /** The day in the time zone of the place, as `YYYY-MM-DD`. */
  readonly date: string
  readonly weatherCode: number
  readonly temperatureMin: number
  readonly temperatureMax: number
  readonly precipitation: number
}

export interface Forecast {
  /** Degrees Celsius, kilometres an hour, per cent. */
  readonly current: {
    readonly at: Date
    readonly temperature: number
    readonly apparentTemperature: number
    readonly weatherCode: number
    readonly windSpeed: number
    readonly humidity: number
  }
  readonly daily: readonly DayForecast[]
}

/** Both methods reject when the provider fails or sends an invalid response. */
export interface Weather {
  search(query: string): Promise<readonly Place[]>
  forecast(place: { readonly latitude: number; readonly longitude: number }): Promise<Forecast>
}
