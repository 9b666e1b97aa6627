import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";

const program = fileURLToPath(new URL("./service-process.ts", import.meta.url));

interface Line {
	level: number;
	msg: string;
	healthPort?: number;
	err?: { message: string };
}

class Running implements AsyncDisposable {
	readonly child: ChildProcess;
	readonly ended: Promise<number | null>;
	output = "";
	errors = "";

	constructor(settings: Record<string, string>) {
		const env = { PATH: process.env.PATH ?? "", HEALTH_HOST: "127.0.0.1", ...settings };
		this.child = spawn(process.execPath, [program], { env });
		this.child.stdout?.on("data", (text) => {
			this.output += text;
		});
		this.child.stderr?.on("data", (text) => {
			this.errors += text;
		});
		this.ended = new Promise((resolve) => this.child.once("close", resolve));
	}

	get lines(): Line[] {
		return this.output
			.split("\n")
			.slice(0, -1)
			.map((line) => JSON.parse(line));
	}

	/** Reads its health port, once it is ready. */
	async ask(path: string): Promise<{ status: number; text: string }> {
		const port = await eventually(() => this.lines.find(({ healthPort }) => healthPort !== undefined)?.healthPort);
		const response = await fetch(`http://127.0.0.1:${port}${path}`);
		return { status: response.status, text: await response.text() };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.child.kill("SIGKILL");
		await this.ended;
	}
}

test("SIGTERM closes resources in reverse order, and ends the process with 0", async () => {
	await using service = new Running({ MODE: "well" });
	expect(await service.ask("/ready")).toEqual({ status: 200, text: "ready" });
	service.child.kill("SIGTERM");
	expect(await service.ended).toBe(0);
	expect(service.lines.map(({ msg }) => msg)).toEqual([
		"example is ready",
		"stopping",
		"closed the second",
		"closed the first",
		"example has stopped",
	]);
});

test("the health port serves liveness, the reasons for not being ready, and metrics", async () => {
	await using service = new Running({ MODE: "ill" });
	expect(await service.ask("/ready")).toEqual({ status: 503, text: "not ready: database" });
	expect((await service.ask("/live")).status).toBe(200);
	expect((await service.ask("/metrics")).text).toMatch(/^example_depth 3$/m);
	expect((await service.ask("/secrets")).status).toBe(404);
});

test("an invalid setting stops the start with a message that does not contain its value", async () => {
	await using service = new Running({ MODE: "hunter2", LOG_LEVEL: "info" });
	expect(await service.ended).toBe(1);
	expect(service.errors).toMatch(/^The setting MODE is wrong: .+\.\n$/);
	expect(service.errors).not.toContain("hunter2");
	expect(service.output).toBe("");
});

test.each(["/proc/x", "/proc"])("a folder that cannot be written to stops the start: WORK_DIR=%s", async (path) => {
	await using service = new Running({ MODE: "well", WORK_DIR: path });
	expect(await service.ended).toBe(1);
	expect(service.errors).toMatch(/^The setting WORK_DIR is wrong: it must be a writable folder \(E[A-Z]+: .+\)\.\n$/);
	expect(service.output).toBe("");
});

test("a failed start closes its resources and ends with 1, without logging the secret", async () => {
	await using service = new Running({ MODE: "no-start" });
	expect(await service.ended).toBe(1);
	expect(service.lines.map(({ msg }) => msg)).toEqual([
		"example could not start",
		"closed the second",
		"closed the first",
		"example has stopped",
	]);
	expect(service.lines[0]?.err?.message).toBe("no answer from postgres://u:***@db/x");
});

test("a part that does not close in time is abandoned, and the process ends with 1", async () => {
	await using service = new Running({ MODE: "stuck", DRAIN_MS: "50" });
	await service.ask("/ready");
	service.child.kill("SIGTERM");
	expect(await service.ended).toBe(1);
	expect(service.lines.map(({ msg }) => msg)).toContain("closing failed");
});

test("an error that is not caught is logged and ends the process with 1", async () => {
	await using service = new Running({ MODE: "careless" });
	expect(await service.ended).toBe(1);
	expect(service.lines.at(-1)).toMatchObject({ level: 60, err: { message: "not awaited" } });
});
