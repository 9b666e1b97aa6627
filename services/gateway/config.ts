/** Settings of the gateway besides those of every process (`libs/service/run-service.ts`). A payment rail is enabled by its first setting; the others that it needs are then required. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { natsSettings } from "#libs/bus/settings.ts";
import { databases } from "#libs/contract/databases.ts";
import { choice, integer } from "#libs/contract/params.ts";
import { siteAddress } from "#libs/service/config.ts";

const minRowsOfDatabase = `(${databases.join("|")})=\\d{1,9}`;
const minRowsPattern = new RegExp(`^${minRowsOfDatabase}(,${minRowsOfDatabase})*$`);

const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "must be an address, 0x and 40 hexadecimal digits");

export const railSettings = {
	X402_PAY_TO: evmAddress.optional().describe("Address that is paid in USDC; enables the rail x402"),
	X402_FACILITATOR_URL: z.url().optional().describe("Address of the facilitator that verifies and settles payments"),
	X402_FACILITATOR_TOKEN: z.string().min(1).optional().describe("Bearer token for the facilitator"),
	X402_NETWORK: z
		.string()
		.regex(/^eip155:\d{1,12}$/, "must be a CAIP-2 network such as eip155:8453")
		.default("eip155:8453")
		.describe("Network of payments, by default Base; eip155:84532 is its test network"),
	X402_RPC_URL: z
		.url()
		.optional()
		.describe("JSON-RPC endpoint of that network, used to find the outcome of a charge whose answer was lost"),
	X402_TIMEOUT_MS: integer(100, 60_000).default(8_000).describe("Longest wait for the facilitator"),
	MPP_RECIPIENT: evmAddress.optional().describe("Address that is paid on Tempo; enables the rail mpp"),
	MPP_RPC_URL: z.url().optional().describe("JSON-RPC endpoint of Tempo"),
	MPP_CHAIN_ID: integer(1).default(4_217).describe("Chain of payments, by default Tempo; 42431 is its test network"),
	MPP_CURRENCY: evmAddress.optional().describe("Token in which payments are made; by default the network's own choice"),
	MPP_REALM: z
		.string()
		.min(1)
		.max(200)
		.optional()
		.describe("Realm of the challenges; by default the host of PUBLIC_URL"),
	MPP_SECRET_KEY: z
		.string()
		.min(32, "must have at least 32 characters")
		.optional()
		.describe("Secret that signs the challenges of mpp and card; must be the same for every replica"),
	STRIPE_SECRET_KEY: z.string().min(1).optional().describe("Secret key of the Stripe account; enables the rail card"),
	STRIPE_WEBHOOK_SECRET: z
		.string()
		.min(1)
		.optional()
		.describe("Secret with which Stripe signs its events about checkouts"),
	STRIPE_NETWORK_ID: z.string().min(1).optional().describe("Stripe profile to which shared payment tokens are issued"),
	STRIPE_API_URL: z.url().optional().describe("Address of Stripe's API, if another server stands in for it"),
};

const settings = z.object({
	HOST: z.string().min(1).default("127.0.0.1").describe("Address to listen on"),
	PORT: integer(0, 65_535).default(8080).describe("Port to listen on; 0 for any free one"),
	PUBLIC_URL: siteAddress()
		.optional()
		.describe("Address at which callers reach the service, used in links; by default links are relative"),
	NATS_PUBLIC_ADDRESS: z
		.string()
		.regex(/^(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}$/, "must be host:port")
		.optional()
		.describe("Address at which subscribers reach NATS (host:port), shown in documents; by default they show none"),
	...natsSettings,
	REDIS_URL: z
		.url({ protocol: /^rediss?$/, hostname: /./ })
		.optional()
		.describe("Redis server with the counters that all replicas share; without it each process counts alone"),
	REDIS_CA: z
		.string()
		.optional()
		.describe("File with the authority that signs Redis' certificate; requires TLS, as rediss:// does"),
	REDIS_TIMEOUT_MS: integer(1, 10_000)
		.default(50)
		.describe("Longest wait for Redis; after it a request is counted in memory"),
	INSTANCES: integer(1, 1_000)
		.default(1)
		.describe("Replicas of the gateway; while Redis is unavailable each allows its share of a limit"),
	KEYLESS: choice(["open", "pay", "closed"])
		.default("open")
		.describe(
			"Endpoints that a request without a key may call: all for free (open); priced ones for a payment (pay); free ones only (closed)",
		),
	ANONYMOUS_PER_MINUTE: integer(0, 1_000_000)
		.default(5)
		.describe(
			"With KEYLESS=open: priced requests without a key in 60 seconds from one address; 0 for no limit. Loopback is not limited",
		),
	FREE_PER_MINUTE: integer(0, 1_000_000)
		.default(600)
		.describe("Free requests without a key in 60 seconds from one address; 0 for no limit. Loopback is not limited"),
	PAGES_PER_MINUTE: integer(0, 1_000_000)
		.default(600)
		.describe(
			"Requests that the pages for browsers make in 60 seconds from one address, counted separately from other requests; 0 for no limit. Loopback is not limited",
		),
	PAGE_ROWS_PER_DAY: integer(0, 1_000_000_000)
		.default(10_000)
		.describe(
			"Rows of priced operations that pages for browsers may read in a day (UTC) from one network (IPv4 /24, IPv6 /48); 0 for no limit. Loopback is not limited",
		),
	REQUESTS_PER_MINUTE: integer(0, 10_000_000)
		.default(12_000)
		.describe(
			"Requests of any kind, with or without a key, in 60 seconds from one address, counted before any work is done for them; 0 for no limit. Loopback is not limited",
		),
	CHALLENGES_PER_MINUTE: integer(1, 1_000_000)
		.default(600)
		.describe(
			"Responses with status 402, refused keys and refused payments in 60 seconds for one address, each counted separately; loopback is limited, too",
		),
	REGISTRATIONS_PER_HOUR: integer(1, 1_000_000)
		.default(5)
		.describe("Keys issued in an hour to one address; a network (IPv6 /48, IPv4 /24) gets four times as many"),
	OAUTH_CLIENTS_PER_HOUR: integer(1, 1_000_000)
		.default(100)
		.describe("OAuth clients that may be registered in an hour from one network (IPv6 /48, IPv4 /24)"),
	TRUSTED_PROXIES: z
		.string()
		.optional()
		.describe("Addresses or networks (CIDR), separated by commas, whose X-Forwarded-For is trusted; by default none"),
	USAGE_BUFFER: integer(100, 1_000_000)
		.default(10_000)
		.describe(
			"Answered requests whose usage is not acknowledged yet; above this number, requests are refused with 503",
		),
	USAGE_DIR: z
		.string()
		.min(1)
		.optional()
		.describe(
			"Folder in which this process, and no other, stores usage until billing has recorded it, at most 256 MiB; by default usage is in memory until NATS acknowledges it",
		),
	CONTACT: z.string().min(1).optional().describe("E-mail address of the operator, shown in documents"),
	...railSettings,
	REQUEST_TIMEOUT_MS: integer(1, 120_000).default(15_000).describe("Longest wait for a service's reply"),
	CACHE_MAX_BYTES: integer(0).default(67_108_864).describe("Total size of cached responses; 0 caches none"),
	BODY_MAX_BYTES: integer(1).default(65_536).describe("Longest body of a request"),
	URL_MAX_LENGTH: integer(256, 65_536)
		.default(8_192)
		.describe("Maximum length of path and query together (characters)"),
	HEADERS_MAX_BYTES: integer(1_024, 1_048_576)
		.default(16_384)
		.describe("Maximum size of all headers of a request (bytes)"),
	HEADERS_MAX_COUNT: integer(10, 2_000).default(100).describe("Maximum number of headers of a request"),
	HEADERS_TIMEOUT_MS: integer(100, 600_000)
		.default(15_000)
		.describe("Longest time from the first byte of a request to its last header"),
	RECEIVE_TIMEOUT_MS: integer(100, 600_000)
		.default(30_000)
		.describe("Longest time from the first byte of a request to its last"),
	SEND_TIMEOUT_MS: integer(100, 3_600_000)
		.default(120_000)
		.describe("Longest time to send an answer that is not streamed"),
	STREAMS_PER_CALLER: integer(1, 1_000).default(4).describe("Exports made at once for one account or address"),
	EVENT_STREAMS_MAX: integer(1, 100_000)
		.default(2_000)
		.describe("Open streams of server-sent events; the next one is refused with 503"),
	EVENT_STREAMS_PER_CALLER: integer(1, 100_000)
		.default(20)
		.describe("Open streams of an account, or of an address without a key; the next one is refused with 429"),
	EVENT_STREAMS_PER_NETWORK: integer(1, 100_000)
		.default(100)
		.describe(
			"Open streams of a network (IPv6 /48, IPv4 /24) without a key or with keys of the Free plan; the next one is refused with 429",
		),
	EVENT_STREAMS_KEYLESS: integer(0, 100_000)
		.default(1_500)
		.describe(
			"Open streams without a key or with keys of the Free plan, which leaves the rest of EVENT_STREAMS_MAX to paid plans; the next one is refused with 503",
		),
	EVENT_STREAM_HEARTBEAT_MS: integer(10, 600_000)
		.default(15_000)
		.describe("Pause between heartbeats of a stream of server-sent events"),
	EVENT_STREAM_BUFFER_BYTES: integer(1_024, 1_073_741_824)
		.default(1_048_576)
		.describe("Unread bytes of a stream beyond which its client is disconnected; it can resume with Last-Event-ID"),
	SPOOL_DIR: z
		.string()
		.min(1)
		.default(join(tmpdir(), "energy-exports"))
		.describe("Folder for the files of exports; its contents may be lost at any time"),
	SPOOL_MAX_BYTES: integer(1_048_576, 1_000_000_000_000)
		.default(4_294_967_296)
		.describe("Total size of the files of exports"),
	SPOOL_SHARE_BYTES: integer(1_048_576, 1_000_000_000_000)
		.default(1_073_741_824)
		.describe("Total size of the files that are being written or read for one account or address"),
	SPOOL_MAX_AGE_MS: integer(1_000, 604_800_000)
		.default(21_600_000)
		.describe("Age after which the file of an export is removed and its readers are disconnected"),
	IDLE_TIMEOUT_MS: integer(100, 3_600_000)
		.default(120_000)
		.describe("Time without a byte in either direction after which a connection is closed"),
	KEEP_ALIVE_MS: integer(100, 3_600_000).default(72_000).describe("Longest wait for the next request of a connection"),
	CONNECTIONS_MAX: integer(1, 1_000_000)
		.default(10_000)
		.describe("Connections open at once; the next one replaces an idle one, or is closed"),
	CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000)
		.default(1_000)
		.describe("Open connections of one address that is not in TRUSTED_PROXIES"),
	BODIES_MAX: integer(1, 1_000_000).default(1_000).describe("Request bodies that are being received at once"),
	BODIES_PER_CALLER: integer(1, 1_000_000)
		.default(50)
		.describe("Request bodies that are being received at once from one account, or from one address"),
	REQUESTS_AT_ONCE: integer(1, 100_000)
		.default(192)
		.describe("Requests that services work on at once for this process; cached responses do not count"),
	REQUESTS_PER_CALLER: integer(1, 100_000)
		.default(8)
		.describe("Requests that services work on at once for one account, or for one caller without a key"),
	REQUESTS_PER_ADDRESS: integer(1, 100_000)
		.default(32)
		.describe("Requests that services work on at once for one address, with all its accounts"),
	REQUESTS_WAITING: integer(0, 100_000).default(2_000).describe("Requests that wait for a service; callers take turns"),
	REQUESTS_WAITING_PER_CALLER: integer(0, 100_000)
		.default(500)
		.describe("Waiting requests of one account, or of one address; the next one is refused with 429"),
	REQUESTS_WAIT_MS: integer(1, 120_000)
		.default(5_000)
		.describe("Longest wait for a service; then the request is refused with 503"),
	SENDING_MAX_BYTES: integer(65_536)
		.default(134_217_728)
		.describe(
			"Total size of the answers that clients have not read yet; beyond it the slowest clients are disconnected",
		),
	SENDING_BYTES_PER_CALLER: integer(65_536)
		.default(33_554_432)
		.describe("Size of the unread answers of one account, or of one address"),
	SLOW_READER_BYTES_PER_SECOND: integer(0, 100_000_000)
		.default(16_384)
		.describe("A client that reads an answer more slowly is the first to be disconnected when others wait"),
	SLOW_READER_AFTER_MS: integer(100, 600_000).default(5_000).describe("Time over which a client's speed is measured"),
	HEALTH_MIN_ROWS: z
		.string()
		.regex(minRowsPattern, `must be <database>=<rows>, separated by commas; databases: ${databases.join(", ")}`)
		.default("master=1")
		.describe(
			"Minimum rows of databases; if one has fewer, /health responds with 503, as if its owner did not respond",
		),
	DRAIN_MS: integer(0, 600_000)
		.default(15_000)
		.describe("Longest time to stop; connections still open two seconds before its end are cut"),
});

export const configSchema = settings.superRefine((config, context) => {
	for (const name of missingOf(config)) context.addIssue({ code: "custom", path: [name], message: "is missing" });
});
export type Config = z.output<typeof configSchema>;

type RailConfig = z.output<z.ZodObject<typeof railSettings>>;

/** Names of the missing settings of enabled rails. */
function missingOf(config: Partial<RailConfig>): string[] {
	const needs: [keyof RailConfig, (keyof RailConfig)[]][] = [
		["X402_PAY_TO", ["X402_FACILITATOR_URL", "X402_RPC_URL"]],
		["MPP_RECIPIENT", ["MPP_RPC_URL", "MPP_SECRET_KEY"]],
		["STRIPE_SECRET_KEY", ["STRIPE_WEBHOOK_SECRET", "STRIPE_NETWORK_ID", "MPP_SECRET_KEY"]],
	];
	return needs.flatMap(([enables, needed]) =>
		config[enables] === undefined ? [] : needed.filter((name) => config[name] === undefined),
	);
}
