import type { Backend } from './backend';
import { httpBackend } from './http';
import { boundApp, windowBackend } from './window';

export type { Backend, Bytes, NewsListener } from './backend';
export type { ExportFormat, ExportPlace } from './exporting';
export { isWhole, withCounts, withDetails } from './brief';
export type { ListPart } from './parts';
export { asBackendError, BackendError } from './errors';
export * from './compaction';
export * from './search';
export * from './stats';
export * from './types';
export * from './turns';
export * from './models';
export * from './retention';

export function createBackend(): Backend {
  const app = boundApp();
  return app ? windowBackend(app) : httpBackend();
}
