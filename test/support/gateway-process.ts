/** The gateway as a process of its own, as it runs in production, that a test can kill and start again at the same address. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort, root } from "../../deploy/local/data-dir.ts";
import { mainArguments } from "../../deploy/local/services.ts";
import { eventually } from "./eventually.ts";
import type { TestNats } from "./servers.ts";

export interface GatewayProcess extends AsyncDisposable {
	url: string;
	/** Resolves when it `isReady`. */
	start(): Promise<void>;
	/** SIGKILL; resolves when the process is gone. */
	kill(): Promise<void>;
}

export interface GatewayProcessOptions {
	nats: Pick<TestNats, "url" | "login">;
	settings?: Record<string, string>;
	/** Asked at its address until it is true. */
	isReady(url: string): Promise<boolean>;
}

/** Prepares it without starting it. */
export async function gatewayProcess({ nats, settings = {}, isReady }: GatewayProcessOptions): Promise<GatewayProcess> {
	const port = await freePort();
	const url = `http://127.0.0.1:${port}`;
	let child: ChildProcess | undefined;
	async function kill() {
		if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
		child.kill("SIGKILL");
		await once(child, "exit");
	}
	return {
		url,
		kill,
		async start() {
			const login = nats.login("gateway");
			const env = {
				...process.env,
				...{ NATS_URL: nats.url, HOST: "127.0.0.1", HEALTH_HOST: "127.0.0.1" },
				...settings,
				...(login && { NATS_USER: login.user, NATS_PASSWORD: login.password }),
				...{ PORT: String(port), HEALTH_PORT: String(await freePort()), LOG_LEVEL: "error" },
			};
			const stdio = ["ignore", "ignore", "inherit"] as const;
			child = spawn(process.execPath, mainArguments("gateway"), { env, cwd: root, stdio: [...stdio] });
			await eventually(() => isReady(url).catch(() => false), { withinMs: 30_000, everyMs: 50 });
		},
		[Symbol.asyncDispose]: kill,
	};
}
