/** deploy/nats.conf is what the local run's configuration says, and a real server takes it. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { natsConfFiles, renderNatsConf } from "../../deploy/container/nats-conf.ts";
import { asVariable, hashOfNoPassword } from "../../deploy/container/secrets.ts";
import { otherUsers } from "../../deploy/engines/nats-users.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { services } from "../../deploy/local/services.ts";
import { connectBus } from "../../libs/bus/connect.ts";
import { ensureStream, streamBytes } from "../../libs/bus/events/topology.ts";
import { subscriberLimits } from "../../libs/bus/mirror/mirror-wire.ts";
import { serveSubscribers } from "../../libs/bus/mirror/subscribers.ts";
import { archiveLimits } from "../../libs/contract/exports/archive.ts";
import { extractLimits, extractOwners } from "../../libs/contract/exports/extracts.ts";
import type { Owner } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import { silent } from "../support/silent.ts";
import { k8sFolder } from "./support/manifests.ts";

const users = [...services.map(({ name }) => name), ...otherUsers];

test("the files equal the program's output", () => {
	for (const file of natsConfFiles)
		expect(readFileSync(file, "utf8"), "run `node deploy/container/nats-conf.ts`").toBe(renderNatsConf());
});

test("each message is synced before its acknowledgement if configured, which older servers refuse", () => {
	const written = renderNatsConf(true);
	expect(written.replace("\tsync_interval: always\n", "")).toBe(renderNatsConf());
	expect(written).toMatch(/^jetstream \{\n(\t.*\n)*\tsync_interval: always\n/m);
});

test("the store is large enough for all reservations, without which NATS does not restart", () => {
	const gibibytes = 1024 ** 3;
	const store = Number(/max_file_store: (\d+)GB/.exec(renderNatsConf())?.[1]) * gibibytes;
	const buckets = extractOwners.length * extractLimits.bucketBytes + archiveLimits.bucketBytes;
	const reserved = services.length * streamBytes + buckets + subscriberLimits.accountBytes;
	expect(reserved).toBeLessThan(0.9 * store);
	const nats = readFileSync(join(k8sFolder, "overlays/engines-inside/nats.yaml"), "utf8");
	expect(Number(/storage: (\d+)Gi/.exec(nats)?.[1]) * gibibytes).toBeGreaterThan(store);
});

test("the configuration contains no password", () => {
	expect(renderNatsConf().match(/password: .*/g)).toEqual(
		users.map((name) => `password: $NATS_PASSWORD_${asVariable(name)}`),
	);
});

test("each service can log in with the password in its environment, and create its stream", async () => {
	await using servers = await startServers(1);
	for (const { name } of services) {
		const login = { url: servers.url, user: name, password: `p-${name}`, name };
		await using bus = await eventually(() => connectBus(login));
		await ensureStream(bus, name as Owner);
		await expect(connectBus({ ...login, password: "p-another" })).rejects.toThrow(/Authorization/i);
	}
});

test("operator and subscriber log in only with a password", async () => {
	const tryAll = async (url: string) =>
		await Promise.all(
			otherUsers.flatMap((user) =>
				["", `p-${user}`, hashOfNoPassword, "disabled"].map(async (password) => {
					const opening = connectBus({ url, user, password, name: user });
					const bus = await opening.catch((error: Error) => error.message);
					if (typeof bus === "string") return bus;
					await bus[Symbol.asyncDispose]();
					return `${user} ${password}`;
				}),
			),
		);
	const refused = /authorization/i;
	await using open = await startServers(1);
	await using _asked = await eventually(() =>
		connectBus({ url: open.url, user: "gateway", password: "p-gateway", name: "gateway" }),
	);
	expect((await tryAll(open.url)).filter((one) => !refused.test(one))).toEqual(
		otherUsers.map((user) => `${user} p-${user}`),
	);
	await using without = await startServers(1, Object.fromEntries(otherUsers.map((user) => [user, hashOfNoPassword])));
	await using _again = await eventually(() =>
		connectBus({ url: without.url, user: "gateway", password: "p-gateway", name: "gateway" }),
	);
	expect((await tryAll(without.url)).filter((one) => !refused.test(one))).toEqual([]);
});

test("three servers with the StatefulSet's arguments form a cluster with three replicas of a stream, which works with two servers", {
	tags: ["campaign"],
}, async () => {
	await using servers = await startServers(3);
	const login = { url: servers.url, user: "billing", password: "p-billing", name: "billing" };
	await using bus = await eventually(() => connectBus(login));
	await eventually(() => ensureStream(bus, "billing", { replicas: 3 }).then(() => true), { withinMs: 30_000 });
	// The mirrors have three copies, too: events that are published while a node is down reach subscribers.
	await using publisher = await eventually(() =>
		connectBus({
			...login,
			user: "signals",
			password: "p-signals",
			name: "signals",
			streams: { replicas: 3 },
			log: silent,
		}),
	);
	await eventually(() => ensureStream(publisher, "signals").then(() => true), { withinMs: 30_000 });
	await using _serving = await serveSubscribers(publisher, "signals", { everyMs: 250 });
	const events = jetstream(publisher.nats);
	for (let i = 0; i < 100; i++) {
		const publish = () => events.publish("event.signals.news.recorded", `${i}`, { msgID: `${i}` });
		await eventually(() => publish().then(() => true), { withinMs: 30_000 });
	}
	await using outside = await connectBus({
		...login,
		user: "subscriber",
		password: "p-subscriber",
		name: "subscriber",
		log: silent,
	});
	const mirrors = await jetstreamManager(outside.nats, { checkAPI: false });
	const mirrored = async () => (await mirrors.streams.info("SIGNALS")).state.messages;
	await eventually(async () => (await mirrored()) === 100, { withinMs: 30_000 });
	servers.kill(0);
	await eventually(() => events.publish("event.signals.news.recorded", "100", { msgID: "100" }).then(() => true), {
		withinMs: 30_000,
	});
	await eventually(async () => (await mirrored()) === 101, { withinMs: 40_000 });
	// The two that are left may still be choosing who leads.
	const reader = await eventually(
		async () => {
			await mirrors.consumers.add("SIGNALS", { durable_name: "mine", ack_policy: AckPolicy.Explicit });
			return await jetstream(outside.nats).consumers.get("SIGNALS", "mine");
		},
		{ withinMs: 30_000 },
	);
	// There is no answer while the consumer's own leader is being chosen.
	const first = await eventually(async () => (await reader.next({ expires: 5_000 })) ?? undefined, {
		withinMs: 30_000,
	});
	expect(first?.string()).toBe("0");
	await eventually(() => ensureStream(bus, "billing", { replicas: 3 }).then(() => true), { withinMs: 30_000 });
});

interface Servers extends AsyncDisposable {
	url: string;
	kill(which: number): void;
}

/** Starts servers on this machine with the file, and passwords `p-USER` where none is given; several as the StatefulSet starts them. */
async function startServers(count: number, given: Record<string, string> = {}): Promise<Servers> {
	const home = mkdtempSync(join(tmpdir(), "energy-nats-conf-"));
	const nodes = await Promise.all(
		Array.from({ length: count }, async (_, i) => ({
			...{ name: `nats-${i}`, port: await freePort(), route: await freePort(), monitor: await freePort() },
		})),
	);
	const passwords = Object.fromEntries(
		users.map((name) => [`NATS_PASSWORD_${asVariable(name)}`, given[name] ?? `p-${name}`]),
	);
	const { program } = findServers()["nats-server"].command(home, 0, []);
	const running = nodes.map(({ name, port, route, monitor }) => {
		const conf = join(home, `${name}.conf`);
		const here = renderNatsConf()
			.replace('"/data"', JSON.stringify(join(home, name)))
			.replace("port: 4222", `port: ${port}`)
			.replace("http: 8222", `http: "127.0.0.1:${monitor}"`)
			.replace('"0.0.0.0"', '"127.0.0.1"');
		writeFileSync(conf, here);
		const args = ["-c", conf, ...(count > 1 ? clusterArguments(route, nodes) : [])];
		return spawn(program, args, {
			env: { ...process.env, ...passwords, NATS_SERVER_NAME: name },
			stdio: "ignore",
		});
	});
	const exits = running.map((server) => new Promise((ended) => server.once("exit", ended)));
	return {
		url: nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join(),
		kill: (which) => running[which]?.kill("SIGKILL"),
		async [Symbol.asyncDispose]() {
			for (const server of running) server.kill("SIGKILL");
			await Promise.all(exits);
			rmSync(home, { recursive: true });
		},
	};
}

/** The StatefulSet's, behind `-c FILE`, with addresses of this machine. */
function clusterArguments(own: number, nodes: { name: string; route: number }[]): string[] {
	const [set] = parseAllDocuments(readFileSync(join(k8sFolder, "overlays/engines-inside/nats.yaml"), "utf8"));
	const args: string[] = set?.toJS().spec.template.spec.containers[0].args.slice(2);
	return args.map((arg) =>
		arg
			.replaceAll("$(NATS_PASSWORD_ROUTES)", "p-routes")
			.replace("0.0.0.0:6222", `127.0.0.1:${own}`)
			.replace(/nats-(\d)\.nats:6222/g, (_, i: string) => `127.0.0.1:${nodes[Number(i)]?.route}`),
	);
}
