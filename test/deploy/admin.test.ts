/** `npm run admin`: which service a command runs in, and what it says without a system. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const admin = (...args: string[]) =>
	new Promise<{ code: number; text: string }>((resolve) => {
		const { POSTGRES_URL: _, ...env } = process.env;
		const options = { cwd: root, env: { ...env, DATA_DIR: join(root, "no-such-folder") } };
		execFile(process.execPath, ["deploy/local/admin.ts", ...args], options, (error, out, err) =>
			resolve({ code: Number(error?.code ?? 0), text: out + err }),
		);
	});

test("a command of a service without a running system fails with that message", async () => {
	expect(await admin("ingest", "--source", "news", "x.csv")).toMatchObject({
		code: 1,
		text: expect.stringContaining("No system is running in"),
	});
});

test("without a command all are listed; an unknown event gets a list of the known ones", async () => {
	const { code, text } = await admin();
	expect(code).toBe(1);
	const listed = ["ingest", "recount", "republish", "migrate"].filter((name) => text.includes(`  ${name} `));
	expect(listed).toHaveLength(4);
	expect((await admin("republish", "nothing")).text).toContain("project.changed | ");
});
