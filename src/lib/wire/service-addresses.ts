/** Addresses that belong to the service; all others are pages and files of the web client. */
export const SERVICE_ADDRESSES = /^\/(api|dav|mcp|\.well-known|health|metrics)(\/|$)/
