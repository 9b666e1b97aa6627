/** Settings of NATS for every process that uses the bus, by environment variable. */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";
import type { BusOptions } from "./connect.ts";

export const natsSettings = {
	NATS_URL: z.string().min(1).describe("nats://host:port, several parted by commas; tls://host:port demands TLS"),
	NATS_USER: z.string().optional().describe("User of this service at NATS"),
	NATS_PASSWORD: z.string().optional().describe("Its password"),
	NATS_CA: z.string().optional().describe("File of who signs the servers' certificates; it demands TLS"),
	NATS_CERT: z.string().optional().describe("File of the certificate that servers ask for, with NATS_KEY"),
	NATS_KEY: z.string().optional().describe("File of the key of NATS_CERT"),
	STREAM_REPLICAS: integer(1, 5).default(1).describe("Copies of event streams: of a cluster's nodes so many hold each"),
	STREAM_MAX_BYTES: integer(1024 ** 2, 1024 ** 4)
		.default(1024 ** 3)
		.describe("Most that an event stream keeps; beyond it the oldest events are deleted, delivered or not"),
};

const schema = z.object(natsSettings);

type NatsConnection = Pick<BusOptions, "url" | "user" | "password" | "tls" | "streams">;

export function natsConnection(config: z.output<typeof schema>): NatsConnection {
	const login = config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" };
	const files = { ca: config.NATS_CA, cert: config.NATS_CERT, key: config.NATS_KEY };
	const named = Object.values(files).some((file) => file !== undefined);
	const streams = { replicas: config.STREAM_REPLICAS, maxBytes: config.STREAM_MAX_BYTES };
	return { url: config.NATS_URL, streams, ...login, ...(named && { tls: files }) };
}
