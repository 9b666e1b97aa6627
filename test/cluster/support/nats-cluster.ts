/** NATS as a cluster of three, with the users of production. */
import { type JetStreamManager, jetstreamManager, type StreamInfo } from "@nats-io/jetstream";
import { type Bus, connectBus, type Log } from "#libs/bus/connect.ts";
import { freePort } from "../../../deploy/local/data-dir.ts";
import { startNats } from "../../../deploy/local/nats.ts";
import { findServers } from "../../../deploy/local/server-programs.ts";
import { type MortalServer, mortal } from "../../bus/servers.ts";
import { eventually } from "../../support/eventually.ts";
import { natsPasswords, password } from "../../support/servers.ts";
import { silent } from "../../support/silent.ts";

export interface NatsCluster extends AsyncDisposable {
	/** All three addresses, in the form of NATS_URL. */
	url: string;
	nodes: readonly MortalServer[];
	busOf(user: string, log?: Log): Promise<Bus & AsyncDisposable>;
	manager: JetStreamManager;
	operator: Bus;
	stream(name: string): Promise<StreamInfo>;
	/** The node that decides for a stream. */
	leaderOf(stream: string): Promise<MortalServer>;
	/** Resolves when all copies of the stream are up to date. */
	whole(stream: string): Promise<void>;
}

const nodeNames = ["nats-0", "nats-1", "nats-2"];

export async function startCluster(): Promise<NatsCluster> {
	await using stack = new AsyncDisposableStack();
	const places: { node: string; port: number; routes: number }[] = [];
	for (const node of nodeNames) places.push({ node, port: await freePort(), routes: await freePort() });
	const routes = places.map(({ routes }) => `"nats-route://cluster:${password}@127.0.0.1:${routes}"`).join(", ");
	const program = findServers()["nats-server"];
	const nodes: MortalServer[] = [];
	for (const { node, port, routes: listen } of places) {
		const more = `server_name: ${node}
cluster {
	name: energy
	listen: "127.0.0.1:${listen}"
	authorization { user: cluster, password: "${password}", timeout: 2 }
	routes: [${routes}]
}
`;
		const options = { port, passwords: natsPasswords(), more };
		nodes.push(stack.use(await mortal((children, directory) => startNats(children, directory, program, options))));
	}
	const url = places.map(({ port }) => `nats://127.0.0.1:${port}`).join(",");
	const busOf = (user: string, log: Log = silent) =>
		connectBus({ url, name: user, user, password, streams: { replicas: 3 }, log });
	const operator = stack.use(await busOf("operator"));
	const manager = await jetstreamManager(operator.nats, { checkAPI: false, timeout: 5_000 });
	// Nothing can be created until a leader is elected.
	await eventually(() => manager.getAccountInfo().then(() => true), { withinMs: 30_000 });
	const stream = (name: string) => manager.streams.info(name);
	const owned = stack.move();
	return {
		url,
		nodes,
		busOf,
		manager,
		operator,
		stream,
		async leaderOf(name) {
			const leader = await eventually(async () => (await stream(name)).cluster?.leader);
			const node = nodes[nodeNames.indexOf(leader)];
			if (node === undefined) throw new Error(`${leader} is no node of this cluster`);
			return node;
		},
		async whole(name) {
			await eventually(
				async () => {
					const replicas = (await stream(name)).cluster?.replicas ?? [];
					return replicas.length === 2 && replicas.every(({ current, offline }) => current && !offline);
				},
				{ withinMs: 30_000 },
			);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
