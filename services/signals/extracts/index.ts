/** Views of this service's tables for SQL, by database. */
import type { Databases } from "#libs/parquet/view.ts";
import { capital } from "./capital.ts";
import { signals } from "./signals.ts";

export const databases: Databases = { signals, capital };
