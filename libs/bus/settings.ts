/** Settings of NATS for every process that uses the bus, by environment variable. */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";
import type { BusOptions } from "./connect.ts";

export const natsSettings = {
	NATS_URL: z.string().min(1).describe("nats://host:port, several separated by commas; tls://host:port requires TLS"),
	NATS_USER: z.string().optional().describe("User of this service at NATS"),
	NATS_PASSWORD: z.string().optional().describe("Password of NATS_USER"),
	NATS_CA: z.string().optional().describe("File of the authorities that sign the servers' certificates; requires TLS"),
	NATS_CERT: z.string().optional().describe("File of the client certificate that servers request; needs NATS_KEY"),
	NATS_KEY: z.string().optional().describe("File of the private key of NATS_CERT"),
	STREAM_REPLICAS: integer(1, 5).default(1).describe("Replicas of each event stream, on as many nodes of the cluster"),
	STREAM_MAX_BYTES: integer(1024 ** 2, 1024 ** 4)
		.default(1024 ** 3)
		.describe("Maximum size of an event stream (bytes); beyond it the oldest events are deleted, even if undelivered"),
};

const schema = z.object(natsSettings);

type NatsConnection = Pick<BusOptions, "url" | "user" | "password" | "tls" | "streams">;

export function natsConnection(config: z.output<typeof schema>): NatsConnection {
	const login = config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" };
	const files = { ca: config.NATS_CA, cert: config.NATS_CERT, key: config.NATS_KEY };
	const hasFiles = Object.values(files).some((file) => file !== undefined);
	const streams = { replicas: config.STREAM_REPLICAS, maxBytes: config.STREAM_MAX_BYTES };
	return { url: config.NATS_URL, streams, ...login, ...(hasFiles && { tls: files }) };
}
