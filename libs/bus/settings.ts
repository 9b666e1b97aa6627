/** What every process that speaks on the bus is told of NATS, by names of the environment. */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";
import type { BusOptions } from "./connect.ts";

export const natsSettings = {
	NATS_URL: z.string().min(1).describe("nats://host:port, several parted by commas; tls://host:port demands TLS"),
	NATS_USER: z.string().optional(),
	NATS_PASSWORD: z.string().optional(),
	NATS_CA: z.string().optional().describe("File of who signs the servers' certificates; it demands TLS"),
	NATS_CERT: z.string().optional().describe("File of the certificate that servers ask for, with NATS_KEY"),
	NATS_KEY: z.string().optional(),
	STREAM_REPLICAS: integer(1, 5).default(1).describe("Copies of event streams: of a cluster's nodes so many hold each"),
};

const schema = z.object(natsSettings);

type Place = Pick<BusOptions, "url" | "user" | "password" | "tls" | "streamReplicas">;

/** Where to connect, as whom, whom to trust, and how many copies there are to be of what is made there. */
export function natsPlace(config: z.output<typeof schema>): Place {
	const login = config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" };
	const files = { ca: config.NATS_CA, cert: config.NATS_CERT, key: config.NATS_KEY };
	const named = Object.values(files).some((file) => file !== undefined);
	return { url: config.NATS_URL, streamReplicas: config.STREAM_REPLICAS, ...login, ...(named && { tls: files }) };
}
