/** Settings of this service beside those of every process (libs/service/run-service.ts); read from the environment once, in `main.ts`. */
import { z } from "zod";
import { flag, integer } from "#libs/contract/params.ts";

export const configSchema = z.object({
	POSTGRES_URL: z.url().describe("Database of the role that owns the schema queue_ingest"),
	NATS_URL: z.string().min(1).describe("nats://host:port, several parted by commas"),
	NATS_USER: z.string().optional(),
	NATS_PASSWORD: z.string().optional(),
	POSTGRES_CONNECTIONS: integer(2, 200).default(10).describe("Most connections for answering requests"),
	QUERY_PASSWORD: z
		.string()
		.min(1)
		.optional()
		.describe("Of the roles that run SQL of callers; without it they are told 503"),
	STREAM_REPLICAS: integer(1, 5).default(1).describe("Copies of the event stream"),
	REFRESH_SOURCES: flag().default(false).describe("Download the operators' lists at their cadence"),
});
export type Config = z.output<typeof configSchema>;
