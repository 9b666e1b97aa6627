/**
 * The whole system as containers of one network, as JSON, for programs that start them themselves:
 *
 *     node deploy/container/stack.ts
 *
 * With new passwords each time, and engines that need not outlive a power cut: it is meant for tests. An image itself says so how it
 * is to be run, so that who starts it (deploy/testcontainers) needs nothing else of this repository.
 */
import { relative } from "node:path";
import { subscriber } from "../engines/nats-users.ts";
import { type RedisPasswords, renderRedisUsers } from "../engines/redis-users.ts";
import { root } from "../local/data-dir.ts";
import { programOf, services } from "../local/services.ts";
// Types alone: that folder is not in the image.
import type { Container, Plan } from "../testcontainers/plan.ts";
import { renderNatsConf } from "./nats-conf.ts";
import { asVariable, makePassword, optionalSecrets, secrets, stores } from "./secrets.ts";

export function planStack(): Plan {
	const passwords = new Map([...secrets(), ...optionalSecrets()].map(({ name }) => [name, makePassword()]));
	const secret = (name: string): string => passwords.get(name) ?? unknown(name);
	const natsPasswords = Object.fromEntries([...passwords].filter(([name]) => name.startsWith("NATS_PASSWORD_")));
	const databases = new Map(stores().map(({ name, schema }) => [name, databaseOf(name, schema, secret)]));
	return {
		version: 1,
		engines: {
			postgres: postgres(secret("POSTGRES_PASSWORD")),
			nats: nats(renderNatsConf(), { NATS_SERVER_NAME: "nats", ...natsPasswords }),
			redis: redis({ password: secret("REDIS_PASSWORD_GATEWAY") }),
		},
		prepare: {
			name: "prepare",
			command: ["deploy/container/prepare.ts"],
			environment: {
				ADMIN_POSTGRES_URL: `postgres://postgres:${secret("POSTGRES_PASSWORD")}@postgres:5432/postgres`,
				...Object.fromEntries([...passwords].filter(([name]) => /^POSTGRES_PASSWORD_/.test(name))),
			},
		},
		// Each refers to data of those before it.
		sample: ["scoring", "queue-ingest", "signals"].map((name) => ({
			name: `sample-${name}`,
			command: [relative(root, programOf(name, "admin/ingest.ts")), "--sample"],
			environment: databases.get(name) ?? unknown(name),
		})),
		services: services.map(({ name }) => ({
			name,
			command: ["deploy/container/run.ts", name],
			environment: {
				NATS_URL: "nats://nats:4222",
				NATS_USER: name,
				NATS_PASSWORD: secret(`NATS_PASSWORD_${asVariable(name)}`),
				...databases.get(name),
				...(name === "gateway" && gateway(secret("REDIS_PASSWORD_GATEWAY"))),
				...(["queue-ingest", "signals"].includes(name) && { REFRESH_SOURCES: "false" }),
			},
		})),
		ingest: {
			name: "ingest",
			command: ["services/queue-ingest/admin/ingest.ts"],
			environment: databases.get("queue-ingest") ?? unknown("queue-ingest"),
		},
		subscriber: { user: subscriber, password: secret("NATS_PASSWORD_SUBSCRIBER") },
	};
}

const unknown = (name: string): never => {
	throw new Error(`there is no ${name}`);
};

/** A test comes from one address and as often as it likes; a system without data is as well as one with. */
const gateway = (redisPassword: string) => ({
	REDIS_URL: `redis://gateway:${redisPassword}@redis:6379`,
	ANONYMOUS_PER_MINUTE: "0",
	FREE_PER_MINUTE: "0",
	PAGES_PER_MINUTE: "0",
	HEALTH_MIN_ROWS: "master=0",
});

function databaseOf(name: string, role: string, secret: (name: string) => string): Record<string, string> {
	const password = secret(`POSTGRES_PASSWORD_${asVariable(name)}`);
	return { POSTGRES_URL: `postgres://${role}:${password}@postgres:5432/energy` };
}

export const postgres = (password: string): Container => ({
	name: "postgres",
	command: [
		"postgres",
		...["max_connections=200", "shared_buffers=256MB", "max_wal_size=2GB", "jit=off"].flatMap((one) => ["-c", one]),
		...["fsync=off", "full_page_writes=off", "synchronous_commit=off"].flatMap((one) => ["-c", one]),
	],
	environment: { POSTGRES_PASSWORD: password, PGDATA: "/var/lib/postgresql/cluster" },
});

/** `environment` holds what the configuration leaves to it. */
export const nats = (config: string, environment: Record<string, string> = {}): Container => ({
	name: "nats",
	command: ["-c", "/etc/nats/nats.conf"],
	environment,
	files: { "/etc/nats/nats.conf": config.split("\n") },
});

export const redis = (passwords: RedisPasswords): Container => ({
	name: "redis",
	command: [
		...["--bind", "0.0.0.0", "--protected-mode", "no", "--save", "", "--appendonly", "no", "--dir", "/tmp"],
		...renderRedisUsers(passwords)
			.split("\n")
			.flatMap((line) => `--${line}`.split(" ")),
	],
	environment: {},
});

if (import.meta.main) process.stdout.write(`${JSON.stringify(planStack(), null, 1)}\n`);
