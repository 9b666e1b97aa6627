/** Backups by deploy/compose.yaml, with its real images: PostgreSQL alone, and what NATS would know. Skipped where no Docker engine answers. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { findCompose } from "./support/compose.ts";
import { type Composed, openComposed } from "./support/composed.ts";
import { noContainers } from "./support/docker.ts";

const away = noContainers(["POSTGRES_IMAGE", "NATS_IMAGE"]) ?? (findCompose() ? undefined : "there is no Compose here");
if (away !== undefined) console.warn(`Backups in containers are not tested: ${away}.`);

describe.skipIf(away)(`backups in containers${away === undefined ? "" : ` (skipped: ${away})`}`, () => {
	let system: Composed;
	const psql = (sql: string, database = "energy") =>
		system.composed("exec", "-T", "postgres", "psql", "-XAtq", "-U", "postgres", "-d", database, "-c", sql);
	const inside = (...command: string[]) => system.composed("exec", "-T", "backup", ...command);
	const copies = async () => (await inside("ls", "/backups/base")).split("\n").filter((name) => name !== "");
	const copy = (keep = "7") => inside("sh", "/energy/in-container.sh", "copy", keep);
	const rows = () => psql("select string_agg(word, ' ' order by id) from billing.said");
	/** The moment at which nothing more is written, as one gives it to a restore. */
	const moment = () => psql(`select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);
	const say = (word: string) => psql(`insert into billing.said (word) values ('${word}')`);
	const stop = () => system.composed("--profile", "backup", "stop", "--timeout", "60");
	const restore = (...args: string[]) => system.tried("run", "--rm", "-T", "restore", ...args);
	const start = async () => {
		await system.composed("--profile", "backup", "up", "-d", "--no-build", "postgres", "backup");
		await eventually(() => psql("select 1", "postgres"), { withinMs: 120_000, everyMs: 500 });
	};

	beforeAll(async () => {
		system = openComposed({ ARCHIVE_MODE: "on" });
		await start();
		await psql("create database energy", "postgres");
		await psql(`create schema billing; create table billing.said (id bigint primary key generated always as identity, word text);
			create table billing.data_version (version bigint, raised_at timestamptz); insert into billing.data_version values (1, now())`);
	}, 300_000);
	afterAll(() => system?.down(), 180_000);

	test("a backup is made when the profile starts, and another on request; no others are kept", async () => {
		await eventually(async () => (await copies()).filter((name) => !name.endsWith(".new")).length === 1, {
			withinMs: 120_000,
			everyMs: 500,
		});
		const [first = ""] = await copies();
		expect(await copy("1")).toContain("can be restored");
		const [second = "", ...more] = await copies();
		expect(more).toEqual([]);
		expect(second > first).toBe(true);
		// Files that the newest backup does not need are gone; those it needs exist.
		const record = JSON.parse(await inside("cat", `/backups/base/${second}/backup.json`));
		const files = (await inside("ls", "/backups/wal")).split("\n").filter((name) => /^[0-9A-F]{24}$/.test(name));
		expect(files[0]).toBe(record.firstWal);
		expect(record).toMatchObject({
			endLsn: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/),
			bytes: expect.any(Number),
		});
	}, 300_000);

	test("each point in time is restored, or else the last written one; a running system is not touched", async () => {
		await say("one");
		const first = await moment();
		await say("two");
		expect((await restore(first)).err).toContain("PostgreSQL is running");
		await stop();
		const before = await restore("2001-01-01T00:00:00Z");
		expect(before).toMatchObject({ code: 1, err: expect.stringContaining("No copy") });
		expect(await restore(first)).toMatchObject({
			code: 0,
			out: expect.stringContaining("What was there before is in"),
		});
		await start();
		expect(await rows()).toBe("one");
		// The value of after-restore.sql: above every version that can have been given.
		expect(Number(await psql("select version from billing.data_version"))).toBeGreaterThan(1e12);
		await say("three");
		const second = await moment();
		await say("four");
		await stop();
		expect(await restore(second)).toMatchObject({ code: 0 });
		await start();
		expect(await rows()).toBe("one three");
		await say("five");
		await stop();
		expect(await restore()).toMatchObject({ code: 0 });
		await start();
		expect(await rows()).toBe("one three five");
	}, 1_200_000);

	test("without the archive no backup is made, and an error is reported", async () => {
		const open = openComposed({ ARCHIVE_MODE: "off" });
		try {
			await open.composed("up", "-d", "--no-build", "postgres");
			const answer = await open.tried("run", "--rm", "-T", "backup", "copy");
			expect(answer).toMatchObject({ code: 1, err: expect.stringContaining("PostgreSQL does not archive") });
		} finally {
			await open.down();
		}
	}, 300_000);

	test("the streams of services are removed from NATS, and only the consumers of the gateways' stream", async () => {
		const at = "/data/jetstream/services/streams";
		const make = `mkdir -p '${at}/BILLING/obs/a' '${at}/GATEWAY/msgs' '${at}/GATEWAY/obs/b'`;
		const shell = (text: string) =>
			system.composed("run", "--rm", "-T", "--entrypoint", "sh", "forget-streams", "-c", text);
		await shell(make);
		expect(await system.composed("run", "--rm", "-T", "forget-streams")).toContain("removed: BILLING");
		expect(await shell(`cd '${at}' && find . | sort | tr '\\n' ' '`)).toBe(". ./GATEWAY ./GATEWAY/msgs");
	}, 120_000);
});
