/** Published files can be ingested by hand; a call that cannot work fails with one sentence. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { tryLock } from "#libs/postgres/lock.ts";
import { run } from "../../services/signals/admin/ingest.ts";
import { openSignals, type Signals } from "./support/signals.ts";

let signals: Signals;
let errors: string[];
beforeEach(async () => {
	signals = await openSignals();
	errors = [];
	vi.spyOn(console, "error").mockImplementation((line) => void errors.push(String(line)));
});
afterEach(async () => {
	vi.restoreAllMocks();
	await signals[Symbol.asyncDispose]();
});

const call = (args: string[], contact?: string) =>
	run(args, { POSTGRES_URL: signals.url, ...(contact !== undefined && { CONTACT: contact }) });

describe("ingest --live", () => {
	it.each([
		["without a contact", undefined, "CONTACT is not set"],
		["with a contact that names no address", "Example Org", "CONTACT must be an organisation and an e-mail address"],
	])("sends SEC no request %s", async (_, contact, sentence) => {
		expect(await call(["--source", "form-d", "--live"], contact)).toBe(1);
		expect(errors).toEqual([expect.stringContaining(sentence)]);
		expect(await signals.sql`select from hosts`).toHaveLength(0);
	});

	it("leaves it to the replica that is polling", async () => {
		await using lock = await tryLock(signals.sql, "job:signals:refresh-news");
		expect(lock).toBeDefined();
		expect(await call(["--source", "news", "--live"])).toBe(1);
		expect(errors).toEqual([expect.stringContaining("the running system is polling this source")]);
		expect(await signals.sql`select from hosts`).toHaveLength(0);
	});

	it("accepts no files with it", async () => {
		expect(await call(["--source", "news", "--live", "file.json"])).toBe(1);
		expect(errors).toEqual(["--live and files cannot be combined"]);
	});
});
