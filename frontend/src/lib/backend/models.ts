// The wire types of servers, their models and keys.

import type { Problem } from './types';

/** The server that is connected, if one is, and the models it offers. */
export interface ModelList {
  /** Its name in the settings; null for the one without. */
  provider: string | null;
  baseUrl: string;
  model: string;
  hasKey: boolean;
  keyFrom: KeyFrom;
  /** The provider that new conversations are asked at. */
  inUse: string | null;
  providers: Provider[];
  /** The server without a name, which is chosen as `default`; null if no address is set for it. */
  default: Provider | null;
  models: Model[];
  error: Problem | null;
}

/** Where a key is; the key itself never comes back. */
type KeyFrom = 'env' | 'keychain' | null;

/** A server that has a name in the settings. */
export interface Provider {
  name: string;
  baseUrl: string;
  model: string;
  window: number | null;
  hasKey: boolean;
  keyFrom: KeyFrom;
}

export interface Model {
  id: string;
  window: number | null;
  windowFrom: 'config' | 'server' | 'catalog' | null;
  maxOutput: number | null;
  /** In US dollars per million tokens. */
  prices: { input: number; output: number; cacheRead: number; cacheWrite: number } | null;
}

/** A provider as it is to be. */
export interface NewProvider {
  name: string;
  baseUrl: string;
  model: string;
  window: number;
}

/** What stands for something that was taken out of the settings, which the program holds for a while. */
export type Undo = string;

/** The server that a key is for: by its name, null for the one without, and by the address that was shown. */
export interface KeyPlace {
  provider: string | null;
  baseUrl: string;
}

export interface LocalServer {
  name: string;
  baseUrl: string;
  models: string[];
}
