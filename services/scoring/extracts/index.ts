/** Views of this service's tables for SQL and files, by database. */
import type { Databases } from "#libs/parquet/view.ts";
import { scoring } from "./scoring.ts";

export const databases: Databases = { scoring };
