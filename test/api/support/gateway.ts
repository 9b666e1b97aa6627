/** The real gateway over a real NATS, with an owner behind it whose answers the test decides. */
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { type Handlers, type Json, type Versioned, versionSubject } from "#libs/contract/index.ts";
import { openAccess } from "../../../services/gateway/access.ts";
import { buildApp } from "../../../services/gateway/app.ts";
import { configSchema } from "../../../services/gateway/config.ts";
import { startNats } from "../../support/servers.ts";
import { withDefaults } from "../../support/with-defaults.ts";

export interface TestGateway extends AsyncDisposable {
	url: string;
	/** Tells the gateway that the owner's data is at this version, and waits until it was sent. */
	announce(version: number): Promise<void>;
	/** Log lines of the gateway, as JSON text. */
	logged: string[];
	get(path: string, headers?: Record<string, string>): Promise<Response>;
}

export interface TestGatewayOptions {
	/** The owner's handlers; everything else is 404. Null: there is no owner. */
	owner?: Partial<Handlers<"queue-ingest">> | null;
	/** Handlers of the query service; there is none when absent. */
	query?: Handlers<"query">;
	/** Handlers of billing, likewise; others are not answered. */
	billing?: Partial<Handlers<"billing">>;
	settings?: Record<string, string>;
}

export async function startGateway({
	owner = {},
	query,
	billing,
	settings = {},
}: TestGatewayOptions = {}): Promise<TestGateway> {
	await using stack = new AsyncDisposableStack();
	const nats = stack.use(await startNats());
	const connection = (name: string) => ({ url: nats.url, name, log, ...nats.login(name) });
	const logged: string[] = [];
	const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
	const theirs = stack.use(await connectBus(connection("queue-ingest")));
	if (owner !== null) stack.use(await serve(theirs, "queue-ingest", withDefaults("queue-ingest", owner)));
	if (query !== undefined) stack.use(await serve(stack.use(await connectBus(connection("query"))), "query", query));
	if (billing !== undefined) {
		const theirBus = stack.use(await connectBus(connection("billing")));
		stack.use(await serve(theirBus, "billing", billing as Handlers<"billing">));
	}
	const bus = stack.use(await connectBus(connection("gateway")));
	const config = configSchema.parse({ NATS_URL: nats.url, ...settings });
	await ensureStream(bus, "gateway");
	const access = stack.use(await openAccess({ bus, config, log }));
	const app = buildApp({ bus, access, config, log });
	stack.defer(() => app.close());
	await app.listen({ host: "127.0.0.1", port: 0 });
	await Promise.all([bus.nats.flush(), theirs.nats.flush()]);
	const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
	const rest = stack.move();
	return {
		url,
		logged,
		announce: (version) => announce(theirs, bus, version),
		get: (path, headers = {}) => fetch(url + path, { headers }),
		[Symbol.asyncDispose]: () => rest.disposeAsync(),
	};
}

/** The second flush returns when everything sent before it, the announcement too, has reached the gateway. */
async function announce(from: Bus, to: Bus, version: number): Promise<void> {
	from.nats.publish(versionSubject("queue-ingest"), String(version));
	await from.nats.flush();
	await to.nats.flush();
}

export const versioned = <R>(value: R, dataVersion = 1): Versioned<R> => ({
	json: JSON.stringify(value) as Json<R>,
	dataVersion,
});
