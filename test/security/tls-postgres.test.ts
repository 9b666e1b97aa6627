/** The way to PostgreSQL by TLS, said in the address in libpq's words: whom every session trusts, and that none goes in the clear. */
import { chownSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { isDatabaseUnavailable } from "#libs/postgres/connection-errors.ts";
import { tryLock } from "#libs/postgres/lock.ts";
import { execute, prepareDatabase, urlOf } from "../../deploy/engines/postgres-roles.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { startPostgres } from "../../deploy/local/postgres.ts";
import { placePostgres } from "../../deploy/local/postgres-place.ts";
import { type MortalServer, mortal } from "../bus/servers.ts";
import { eventually } from "../support/eventually.ts";
import { password, roles } from "../support/servers.ts";
import { type Certificate, makeCertificates } from "./support/certificates.ts";

const certificates = makeCertificates();
const authority = certificates.authority();
const stranger = certificates.authority();
/** A server with a certificate for localhost alone. It refuses plain-text sessions, and the role `shown` has to show a certificate. */
let server: MortalServer;
/** The server's current certificate. */
let served: Certificate;
const database = "energy";
const queues = roles.find(({ name }) => name === "queue_ingest") ?? { name: "", password };

beforeAll(async () => {
	const { cert, key } = authority.sign("DNS:localhost");
	served = { cert: certificates.copy(cert, "served.pem"), key: certificates.copy(key, "served.key") };
	const port = await freePort();
	server = await mortal(async (children, directory) => {
		const { user } = placePostgres(directory);
		const rules = join(certificates.directory, "pg_hba.conf");
		const who = [
			"hostssl all shown 127.0.0.1/32 scram-sha-256 clientcert=verify-ca",
			"hostssl all all 127.0.0.1/32 scram-sha-256",
		];
		writeFileSync(rules, `${who.join("\n")}\n`, { mode: 0o644 });
		// PostgreSQL reads a key that belongs to its own user.
		if (user) chownSync(served.key, user.uid, user.gid);
		const files = { ssl_cert_file: served.cert, ssl_key_file: served.key, ssl_ca_file: authority.ca, hba_file: rules };
		const more = ["ssl=on", ...Object.entries(files).map(([name, path]) => `${name}=${path}`)];
		const { child, adminUrl } = await startPostgres(children, directory, { port, password, durable: false, more });
		return { child, url: adminUrl };
	});
	await prepareDatabase(withWords(server.url, verified()), database, roles);
});
afterAll(async () => {
	await server?.[Symbol.asyncDispose]();
	certificates[Symbol.dispose]();
});

const verified = (ca = authority.ca) => ({ sslmode: "verify-full", sslrootcert: ca });

function withWords(address: string, words: Record<string, string>, host = "localhost"): string {
	const url = new URL(address);
	url.hostname = host;
	for (const [word, value] of Object.entries(words)) url.searchParams.set(word, value);
	return url.href;
}

/** Whether a session that is opened so is by TLS. */
async function isSecure(url: string): Promise<unknown> {
	await using sql = connect(url, { schema: "public", name: "tls", max: 1 });
	const [row] = await sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
	return row?.ssl;
}
const withMode = (words: Record<string, string>, host?: string) => isSecure(withWords(server.url, words, host));

describe("a server with a certificate of the named authority for the named host", () => {
	test("is trusted by pools", async () => expect(await withMode(verified())).toBe(true));

	test("is trusted by sessions that listen or hold locks, all by TLS", async () => {
		// The server refuses clients in the clear: an answer is the proof.
		const url = urlOf(withWords(server.url, verified()), database, queues);
		await using sql = connect(url, { schema: queues.name, name: "tls" });
		const received: string[] = [];
		const listening = await sql.listen("tls", (text) => void received.push(text));
		await sql.notify("tls", "by TLS");
		await eventually(() => received.includes("by TLS"));
		await listening.unlisten();
		await using lock = await tryLock(sql, "tls");
		expect(lock?.lost.aborted).toBe(false);
	});
});

test("a certificate of another authority, or of an unknown issuer, is refused, and the database counts as unavailable", async () => {
	const strange = [
		verified(stranger.ca),
		verified("system"),
		{ sslmode: "verify-full" },
		{ sslmode: "verify-ca", sslrootcert: stranger.ca },
		{ sslmode: "require", sslrootcert: stranger.ca },
	];
	for (const words of strange) {
		const refusal = await withMode(words).catch((error: unknown) => error);
		expect(refusal, words.sslmode).toMatchObject({ message: expect.stringMatching(/self-signed|unable to/) });
		expect(isDatabaseUnavailable(refusal)).toBe(true);
	}
});

test("a certificate for another host is refused only by verify-full, also if the host is an IP address", async () => {
	// The certificate is for localhost, which is what Node takes for the name of a host that has none.
	await expect(withMode(verified(), "127.0.0.1")).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
	expect(await withMode({ ...verified(), sslmode: "verify-ca" }, "127.0.0.1")).toBe(true);
});

test("require encrypts and does not verify the certificate, as documented", async () => {
	expect(await withMode({ sslmode: "require" }, "127.0.0.1")).toBe(true);
});

test("a server without TLS is refused by every mode that demands it", async () => {
	const plain = process.env.TEST_POSTGRES_URL ?? "";
	for (const sslmode of ["require", "verify-ca", "verify-full"])
		await expect(isSecure(withWords(plain, { ...verified(), sslmode })), sslmode).rejects.toThrow();
	expect(await isSecure(withWords(plain, { sslmode: "disable" }))).toBe(false);
	expect(await isSecure(plain)).toBe(false);
});

test("an address that would fall back to plain text, or has an unknown mode, stops the start with a sentence", async () => {
	for (const sslmode of ["prefer", "allow", "verify_full"])
		await expect(withMode({ sslmode })).rejects.toThrow("sslmode");
	await expect(withMode({ sslrootcert: authority.ca })).rejects.toThrow("sslmode");
	await expect(withMode({ ...verified(), sslcrl: "/x" })).rejects.toThrow("sslcrl");
	for (const file of ["/nowhere/ca.pem", served.key]) await expect(withMode(verified(file))).rejects.toThrow(file);
	await expect(isSecure("postgres://role:hunter2@host:port/x")).rejects.toThrow(
		/^the database's address is not a URL$/,
	);
});

test("a role that requires a certificate is accepted with one", async () => {
	const administrator = withWords(server.url, verified());
	await using sql = connect(administrator, { schema: "public", name: "tls", max: 1 });
	await execute(sql, "create role shown login password %L", password);
	const role = { name: "shown", password };
	const address = urlOf(administrator, "postgres", role);
	await expect(isSecure(address)).rejects.toThrow("client certificate");
	const { cert, key } = authority.signClient();
	expect(await isSecure(withWords(address, { sslcert: cert, sslkey: key }))).toBe(true);
});

test("a replaced authority is trusted at the next connection; until its file is complete, the previous one is", async () => {
	const ca = certificates.copy(authority.ca, "trusted.pem");
	await using sql = connect(withWords(server.url, verified(ca)), { schema: "public", name: "tls", max: 1 });
	const answers = () => sql`select 1`.then(() => true);
	await answers();
	writeFileSync(ca, "-----BEGIN CERTIFICATE-----\nhalf");
	await server.kill();
	await server.start();
	await eventually(answers);
	const { cert, key } = stranger.sign("DNS:localhost");
	copyFileSync(cert, served.cert);
	copyFileSync(key, served.key);
	await server.kill();
	await server.start();
	await expect(eventually(answers, { withinMs: 500 })).rejects.toThrow();
	copyFileSync(stranger.ca, ca);
	await eventually(answers);
});
