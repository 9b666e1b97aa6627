/** Settings of the gateway besides those of every process (`libs/service/run-service.ts`). */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";

export const configSchema = z.object({
	HOST: z.string().min(1).default("127.0.0.1").describe("Address to listen on"),
	PORT: integer(0, 65_535).default(8080).describe("Port to listen on; 0 for any free one"),
	PUBLIC_URL: z
		.url()
		.transform((url) => url.replace(/\/+$/, ""))
		.optional()
		.describe("Where callers reach the service, for links; by default they are relative"),
	NATS_URL: z.string().min(1).describe("nats://host:port, several parted by commas"),
	NATS_USER: z.string().optional(),
	NATS_PASSWORD: z.string().optional(),
	REQUEST_TIMEOUT_MS: integer(1, 120_000).default(15_000).describe("Longest wait for a service's reply"),
	CACHE_MAX_BYTES: integer(0).default(67_108_864).describe("Bound of all kept answers; 0 keeps none"),
	BODY_MAX_BYTES: integer(1).default(65_536).describe("Longest body of a request"),
	URL_MAX_LENGTH: integer(256, 65_536).default(8_192).describe("Characters of path and query together"),
	HEALTH_MIN_PROJECTS: integer(0).default(1).describe("With fewer projects /health is 503"),
	DRAIN_MS: integer(0, 600_000)
		.default(15_000)
		.describe("Longest end; exports in flight get all but the last two seconds"),
});
export type Config = z.output<typeof configSchema>;
