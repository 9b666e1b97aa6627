/**
 * The secrets of a deployment, by name, and a new set of them:
 *
 *     node deploy/container/secrets.ts > deploy/.env
 */
import { randomBytes } from "node:crypto";
import { otherUsers } from "../engines/nats-users.ts";
import { services } from "../local/services.ts";

/** For NATS in the place of a password: what is meant to be a hash, and is none of any password. */
export const hashOfNoPassword = "$2a$00$disabled";

export interface Secret {
	name: string;
	about: string;
}

export const stores = (): { name: string; schema: string }[] =>
	services.flatMap(({ name, schema }) => (schema === undefined ? [] : [{ name, schema }]));

/** QUEUE_INGEST for queue-ingest. */
export const asVariable = (service: string): string => service.toUpperCase().replaceAll("-", "_");

export function secrets(): Secret[] {
	return [
		{ name: "POSTGRES_PASSWORD", about: "the administrator of PostgreSQL, `postgres`" },
		...stores().map(({ name, schema }) => ({
			name: `POSTGRES_PASSWORD_${asVariable(name)}`,
			about: `${name}'s role ${schema}`,
		})),
		...services.map(({ name }) => ({ name: `NATS_PASSWORD_${asVariable(name)}`, about: `${name}'s user at NATS` })),
		{ name: "NATS_PASSWORD_ROUTES", about: "NATS servers among each other" },
		{ name: "REDIS_PASSWORD_GATEWAY", about: "the gateway's user at Redis" },
	];
}

/** Users that a deployment can do without: the hash of no password takes their place. */
export const optionalSecrets = (): Secret[] =>
	otherUsers.map((user) => ({ name: `NATS_PASSWORD_${asVariable(user)}`, about: `${user} at NATS; may be left out` }));

/**
 * A password goes into addresses and into NATS' configuration, which reads digits as a number: it begins with a letter, and holds
 * nothing but letters, digits, - and _.
 */
export const makePassword = (): string => `p${randomBytes(24).toString("base64url")}`;

/** As a file of settings. */
export const renderSecrets = (make: (secret: Secret) => string): string =>
	[...secrets(), ...optionalSecrets()].map((secret) => `# ${secret.about}\n${secret.name}=${make(secret)}\n`).join("");

if (import.meta.main) process.stdout.write(renderSecrets(makePassword));
