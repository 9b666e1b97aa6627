/** What every service that stores something is told of PostgreSQL, by names of the environment. */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";

export const postgresSettings = {
	POSTGRES_URL: z.url().describe("Database of the role that owns the service's schema"),
	POSTGRES_READ_URL: z
		.url()
		.optional()
		.describe("The same database at a standby: answers that it has the data for are read there"),
	POSTGRES_CONNECTIONS: integer(2, 200).default(10).describe("Most connections for answering requests"),
	STATEMENT_TIMEOUT_MS: integer(1, 120_000)
		.default(10_000)
		.describe("Longest statement of an answer: less than REQUEST_TIMEOUT_MS of the gateway, which would wait in vain"),
};
