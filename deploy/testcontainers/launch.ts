/** Containers of one stack: in its network, with an end to their memory, their last lines kept, and removed together. */
import type { Readable } from "node:stream";
import {
	GenericContainer,
	getContainerRuntimeClient,
	Network,
	type StartedTestContainer,
	Wait,
	type WaitStrategy,
} from "testcontainers";
import type { Container, EngineName } from "./plan.ts";

/** How a container is run beyond what its plan says. */
export interface Terms {
	image: string;
	memoryGb: number;
	/** Ports that are given free ones on this machine. */
	ports?: number[];
	started: WaitStrategy;
	/** Longest wait for that. */
	withinMs: number;
	/** Whether it has started when it has ended. */
	ends?: boolean;
	/** Times it is tried (1 when absent). */
	attempts?: number;
	/** Files of this machine, by their paths in the container. */
	copied?: { source: string; target: string }[];
}

export interface Launcher extends AsyncDisposable {
	start(container: Container, terms: Terms): Promise<StartedTestContainer>;
	/** To its end, which must be a good one; answers what it printed. With `secret` that is kept from the logs. */
	run(container: Container, terms: Omit<Terms, "started" | "ends">, options?: { secret: boolean }): Promise<string>;
	/** The last thousands of lines of every container, also of those that have ended. */
	logs(): string;
}

const keptLines = 5_000;

export async function openLauncher(): Promise<Launcher> {
	await getContainerRuntimeClient().catch((cause) => {
		throw new Error("No Docker engine answers: start one, or name it by DOCKER_HOST.", { cause });
	});
	const kept: { name: string; lines: string[] }[] = [];
	const linesOf = ({ name }: Container): string[] => {
		const log = { name, lines: [] };
		kept.push(log);
		return log.lines;
	};
	await using stack = new AsyncDisposableStack();
	const network = stack.adopt(await new Network().start(), async (one) => void (await one.stop()));
	const running: StartedTestContainer[] = [];
	// At once: nothing of theirs is to be kept.
	stack.defer(async () => void (await together(running.map((one) => one.stop({ timeout: 0 })))));

	async function start(container: Container, terms: Terms, lines: string[]): Promise<StartedTestContainer> {
		try {
			let printed = Promise.resolve();
			const started = await describeContainer(container, terms)
				.withNetwork(network)
				.withNetworkAliases(container.name)
				.withLogConsumer((stream) => {
					printed = keep(stream, lines);
				})
				.start();
			// The last lines of a container that has ended may still be on their way.
			if (terms.ends) await printed;
			running.push(started);
			return started;
		} catch (cause) {
			const { attempts = 1 } = terms;
			if (attempts > 1) return await start(container, { ...terms, attempts: attempts - 1 }, lines);
			const reason = cause instanceof Error ? cause.message : String(cause);
			throw new Error(`${container.name} failed: ${reason}\n${lines.slice(-20).join("\n")}`, { cause });
		}
	}

	const owned = stack.move();
	return {
		start: (container, terms) => start(container, terms, linesOf(container)),
		async run(container, terms, options) {
			const lines = options?.secret ? [] : linesOf(container);
			await start(container, { ...terms, started: Wait.forOneShotStartup(), ends: true }, lines);
			return lines.join("\n");
		},
		logs: () => kept.flatMap(({ name, lines }) => lines.map((line) => `${name} | ${line}`)).join("\n"),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

export function describeContainer(container: Container, { image, memoryGb, ports = [], copied = [], ...terms }: Terms) {
	const contents = Object.entries(container.files ?? {}).map(([target, lines]) => ({
		...{ target, content: lines.join("\n"), mode: 0o644 },
	}));
	const described = new GenericContainer(image)
		.withCommand(container.command)
		.withEnvironment(container.environment)
		.withCopyContentToContainer(contents)
		.withCopyFilesToContainer(copied.map((file) => ({ ...file, mode: 0o644 })))
		.withResourcesQuota({ memory: memoryGb })
		.withDefaultLogDriver()
		.withStartupTimeout(terms.withinMs)
		.withWaitStrategy(terms.started);
	return ports.length === 0 ? described : described.withExposedPorts(...ports);
}

/** Resolves at the stream's end. */
function keep(stream: Readable, lines: string[]): Promise<void> {
	let rest = "";
	stream.on("data", (bytes) => {
		const parts = (rest + bytes).split("\n");
		rest = parts.pop() ?? "";
		lines.push(...parts);
		lines.splice(0, lines.length - keptLines);
	});
	return new Promise((ended) => {
		stream.once("end", () => {
			if (rest !== "") lines.push(rest);
			ended();
		});
		// A container that is removed while it writes breaks its stream off.
		stream.once("error", ended);
		stream.once("close", ended);
	});
}

/** All of them, also where one fails: none is left behind that was on its way. */
export async function together<T>(starting: Promise<T>[]): Promise<T[]> {
	await Promise.allSettled(starting);
	return Promise.all(starting);
}

export const engineTerms: Record<EngineName, Pick<Terms, "memoryGb" | "started" | "ports">> = {
	// By TCP: while a cluster is being made, the server is on its socket alone.
	postgres: { memoryGb: 2, started: Wait.forSuccessfulCommand("pg_isready -h 127.0.0.1 -U postgres") },
	nats: { memoryGb: 1, started: Wait.forLogMessage(/Server is ready/), ports: [4222] },
	redis: { memoryGb: 0.5, started: Wait.forLogMessage(/Ready to accept connections/) },
};
