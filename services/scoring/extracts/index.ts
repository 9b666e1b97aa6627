/** The views that this service publishes of its tables, by database. */
import type { Databases } from "#libs/parquet/view.ts";
import { scoring } from "./scoring.ts";

export const databases: Databases = { scoring };
