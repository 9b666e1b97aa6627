import type { Log } from "#libs/bus/connect.ts";

/** The log of those whose words nobody reads. */
export const silent: Log = { info() {}, warn() {}, error() {} };
