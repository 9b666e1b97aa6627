/** TLS to NATS: the server that a service trusts, and the clients that NATS accepts. */
import { copyFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BusOptions, connectBus } from "#libs/bus/connect.ts";
import { natsConnection } from "#libs/bus/settings.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { startNats as startNatsIn } from "../../deploy/local/nats.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { type MortalServer, mortal } from "../bus/servers.ts";
import { eventually } from "../support/eventually.ts";
import { natsPasswords, password, startNats } from "../support/servers.ts";
import { silent } from "../support/silent.ts";
import { type Authority, type Certificate, makeCertificates } from "./support/certificates.ts";

const certificates = makeCertificates();
const authority = certificates.authority();
const stranger = certificates.authority();
const stack = new AsyncDisposableStack();
/** Servers that demand TLS. */
let byName: MortalServer;
let mutual: MortalServer;

beforeAll(async () => {
	byName = stack.use(await startTls(authority.sign("DNS:localhost")));
	mutual = stack.use(await startTls(authority.sign("DNS:localhost", "IP:127.0.0.1"), authority));
});
afterAll(async () => {
	await stack.disposeAsync();
	certificates[Symbol.dispose]();
});

async function startTls({ cert, key }: Certificate, clients?: Authority): Promise<MortalServer> {
	const demanded = clients === undefined ? "" : `ca_file: "${clients.ca}", verify: true`;
	const more = `tls { cert_file: "${cert}", key_file: "${key}", ${demanded} }\n`;
	const options = { port: await freePort(), passwords: natsPasswords(), more };
	return mortal(async (children, directory) => {
		const { child, url } = await startNatsIn(children, directory, findServers()["nats-server"], options);
		return { child, url: url.replace("nats://", "tls://") };
	});
}

const named = (server: MortalServer): string => server.url.replace("127.0.0.1", "localhost");

/** Connects as a service with these settings does. */
async function connects(
	settings: { NATS_URL: string; [name: string]: string },
	more: Partial<BusOptions> = {},
): Promise<true> {
	const place: Partial<BusOptions> = natsConnection({
		NATS_USER: "gateway",
		NATS_PASSWORD: password,
		STREAM_REPLICAS: 1,
		STREAM_MAX_BYTES: 1024 ** 3,
		...settings,
	});
	await using bus = await connectBus({ name: "gateway", log: silent, url: "", ...place, ...more });
	await bus.nats.flush();
	return true;
}

test("a server with a certificate of the named authority for the named host is trusted", async () => {
	expect(await connects({ NATS_URL: named(byName), NATS_CA: authority.ca })).toBe(true);
});

test("a certificate of another authority is refused, and so is one of an unknown issuer if no authority is named", async () => {
	const refused = /self-signed|unable to (verify|get)/;
	await expect(connects({ NATS_URL: named(byName), NATS_CA: stranger.ca })).rejects.toThrow(refused);
	await expect(connects({ NATS_URL: named(byName) })).rejects.toThrow(refused);
});

test("a certificate for another host is refused, also if the host is an IP address", async () => {
	// The certificate is for localhost, which is what Node takes for the name of a host that has none.
	await expect(connects({ NATS_URL: byName.url, NATS_CA: authority.ca })).rejects.toThrow(/127\.0\.0\.1/);
	expect(await connects({ NATS_URL: mutual.url, NATS_CA: authority.ca, ...shown(authority.signClient()) })).toBe(true);
});

test("a server without TLS is refused if the address or a named authority requires TLS", async () => {
	await using plain = await startNats();
	const secure = plain.url.replace("nats://", "tls://");
	await expect(connects({ NATS_URL: secure })).rejects.toThrow("does not support 'tls'");
	await expect(connects({ NATS_URL: plain.url, NATS_CA: authority.ca })).rejects.toThrow("does not support 'tls'");
	expect(await connects({ NATS_URL: plain.url })).toBe(true);
});

const shown = ({ cert, key }: Certificate) => ({ NATS_CERT: cert, NATS_KEY: key });

test("a server that requires a certificate accepts a client with one that it trusts", async () => {
	const place = { NATS_URL: named(mutual), NATS_CA: authority.ca };
	expect(await connects({ ...place, ...shown(authority.signClient()) })).toBe(true);
	// NATS ends the connection, from which the client learns nothing: it waits out its time.
	const hasty = { connectTimeoutMs: 2_000 };
	const others = [connects(place, hasty), connects({ ...place, ...shown(stranger.signClient()) }, hasty)];
	expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("a missing or invalid certificate file stops the start", async () => {
	await expect(connects({ NATS_URL: named(byName), NATS_CA: "/nowhere/ca.pem" })).rejects.toThrow("/nowhere/ca.pem");
	const { key } = authority.sign("DNS:localhost");
	const wrongKey = { NATS_CERT: authority.signClient().cert, NATS_KEY: key };
	await expect(connects({ NATS_URL: named(byName), NATS_CA: authority.ca, ...wrongKey })).rejects.toThrow(key);
});

test("a replaced authority is trusted at the next connection, without a restart of the service", async () => {
	const first = authority.sign("DNS:localhost");
	const served = { cert: certificates.copy(first.cert, "served.pem"), key: certificates.copy(first.key, "served.key") };
	const ca = certificates.copy(authority.ca, "trusted.pem");
	await using server = await startTls(served);
	await using bus = await connectBus({
		...natsConnection({
			NATS_URL: named(server),
			NATS_CA: ca,
			NATS_USER: "gateway",
			NATS_PASSWORD: password,
			STREAM_REPLICAS: 1,
			STREAM_MAX_BYTES: 1024 ** 3,
		}),
		name: "gateway",
		log: silent,
	});
	const second = stranger.sign("DNS:localhost");
	copyFileSync(second.cert, served.cert);
	copyFileSync(second.key, served.key);
	copyFileSync(stranger.ca, ca);
	await server.kill();
	await eventually(() => !bus.connected);
	await server.start();
	await eventually(() => bus.connected);
});
