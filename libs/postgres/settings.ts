/** PostgreSQL settings of every service with a schema, by environment variable. */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";

export const postgresSettings = {
	POSTGRES_URL: z.url().describe("Database of the role that owns the service's schema"),
	POSTGRES_READ_URL: z
		.url()
		.optional()
		.describe("A standby of the same database: operations read from it when its data is new enough"),
	POSTGRES_CONNECTIONS: integer(2, 200).default(10).describe("Maximum connections for requests"),
	STATEMENT_TIMEOUT_MS: integer(1, 120_000)
		.default(10_000)
		.describe(
			"Longest statement of a request: shorter than the gateway's REQUEST_TIMEOUT_MS, after which the result is discarded",
		),
};
