import { afterAll } from 'bun:test'
import { stopTestServer } from './database'

afterAll(stopTestServer)
