/** What every process that speaks on the bus is told of NATS, by names of the environment. */
import { z } from "zod";
import { integer } from "#libs/contract/params.ts";
import type { BusOptions } from "./connect.ts";

export const natsSettings = {
	NATS_URL: z.string().min(1).describe("nats://host:port, several parted by commas"),
	NATS_USER: z.string().optional(),
	NATS_PASSWORD: z.string().optional(),
	STREAM_REPLICAS: integer(1, 5).default(1).describe("Copies of the event stream"),
};

const schema = z.object(natsSettings);

/** Where to connect and as whom. */
export function natsPlace(config: z.output<typeof schema>): Pick<BusOptions, "url" | "user" | "password"> {
	const login = config.NATS_USER !== undefined && { user: config.NATS_USER, password: config.NATS_PASSWORD ?? "" };
	return { url: config.NATS_URL, ...login };
}
