/** A log that is not read. */
export const silent = { info() {}, warn() {}, error() {} };
