/** The operators' real files. Tests that need them are skipped with a warning where they are absent. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const realData = process.env.REAL_DATA_DIR ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

export const hasRealData = existsSync(realData);
if (!hasRealData) console.warn(`Tests on real files skipped: ${realData} does not exist (set REAL_DATA_DIR).`);
