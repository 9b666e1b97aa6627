/** Settings of this service beside those of every process (libs/service/run-service.ts); read from the environment once, in `main.ts`. */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";

export const configSchema = z.object({
	POSTGRES_URL: z.url().describe("Database of the role that owns the schema billing"),
	NATS_URL: z.string().min(1).describe("nats://host:port, several parted by commas"),
	NATS_USER: z.string().optional(),
	NATS_PASSWORD: z.string().optional(),
	POSTGRES_CONNECTIONS: integer(2, 200).default(10).describe("Most connections for answering requests"),
	STREAM_REPLICAS: integer(1, 5).default(1).describe("Copies of the event stream"),
	USAGE_KEEP_DAYS: integer(32, 3_660)
		.default(400)
		.describe("Age after which the ledger forgets single requests (days); roll-ups stay"),
});
export type Config = z.output<typeof configSchema>;
