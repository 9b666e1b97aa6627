/**
 * The servers of `servers.ts` in containers, each a new one: with TEST_SERVERS=containers. The images are those of deploy/compose.yaml;
 * POSTGRES_IMAGE, NATS_IMAGE and REDIS_IMAGE name others.
 */
import { randomBytes } from "node:crypto";
import { getContainerRuntimeClient } from "testcontainers";
import { makeDatabase } from "../../deploy/container/make-database.ts";
import { nats, postgres, redis } from "../../deploy/container/stack.ts";
import { renderNatsConfig } from "../../deploy/engines/nats-config.ts";
import { describeContainer, engineTerms } from "../../deploy/testcontainers/launch.ts";
import type { Container, EngineName } from "../../deploy/testcontainers/plan.ts";
import { connect } from "../../libs/postgres/connect.ts";
import { imageOf } from "../deploy/support/docker.ts";

export interface InContainer {
	/** The container's address, without a scheme. */
	address: string;
	stop(): Promise<void>;
}

const images = { postgres: "POSTGRES_IMAGE", nats: "NATS_IMAGE", redis: "REDIS_IMAGE" } as const;
const ports = { postgres: 5432, nats: 4222, redis: 6379 } as const;

export const startPostgresContainer = (password: string): Promise<InContainer> => start("postgres", postgres(password));

export const startNatsContainer = (passwords: Record<string, string>): Promise<InContainer> =>
	start("nats", nats(renderNatsConfig("0.0.0.0", "/data", { port: ports.nats, passwords })));

export const startRedisContainer = (password: string): Promise<InContainer> =>
	start("redis", redis({ password, operatorPassword: password }));

/** The image's own may sort and fold otherwise than production does. */
export async function makeDatabaseLikeProduction(adminUrl: string, database: string): Promise<void> {
	await using admin = connect(adminUrl, { schema: "public", name: "tests", max: 1 });
	await makeDatabase(admin, database);
}

const label = "energy-test-run";

/** A variable of the run's first process, which its child processes inherit. */
function runOf(): string {
	process.env.TEST_CONTAINERS_RUN ??= randomBytes(6).toString("hex");
	return process.env.TEST_CONTAINERS_RUN;
}

/** Removes containers that test files of this run left: as with processes, they need not stop what they started. */
export async function removeContainers(): Promise<void> {
	const { dockerode } = (await getContainerRuntimeClient()).container;
	const left = await dockerode.listContainers({ all: true, filters: { label: [`${label}=${runOf()}`] } });
	await Promise.all(left.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })));
}

async function start(engine: EngineName, container: Container): Promise<InContainer> {
	const terms = { ...engineTerms[engine], ports: [ports[engine]], image: imageOf(images[engine]), withinMs: 180_000 };
	const started = await describeContainer(container, terms)
		.withLabels({ [label]: runOf() })
		.start();
	return {
		address: `${started.getHost()}:${started.getMappedPort(ports[engine])}`,
		stop: async () => void (await started.stop()),
	};
}
