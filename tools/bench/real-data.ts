/** The operators' real files, which are not ours to keep in the repository. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";

export const realData = resolve(process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data"));
export const haveRealData = existsSync(realData);
