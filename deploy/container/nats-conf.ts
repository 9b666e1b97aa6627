/**
 * NATS' configuration for containers, from the same source as the local run's; a test holds the files against it.
 *
 *     node deploy/container/nats-conf.ts                  writes them
 *     node deploy/container/nats-conf.ts --sync-always    for NATS 2.10 or later: no acknowledgement before the message is synced
 *
 * Passwords and the server's name stay variables of the environment, which NATS reads where they are not quoted.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { renderNatsConfig } from "../engines/nats-config.ts";
import { otherUsers } from "../engines/nats-users.ts";
import { services } from "../local/services.ts";
import { asVariable } from "./secrets.ts";

const heading = `# Written by deploy/container/nats-conf.ts from deploy/engines/nats-config.ts: run it after a change there.
# NATS demands every variable: $2a$00$disabled, a hash of no password, is that of a user who cannot log in.
# In a cluster, --cluster and --routes on the command line say who else belongs to it.
`;

/** The second because kustomize reads nothing above its own folder. */
export const natsConfFiles = ["../nats.conf", "../k8s/overlays/engines-inside/nats.conf"].map((path) =>
	fileURLToPath(new URL(path, import.meta.url)),
);

/** Who asked to leave is left by clients within half a minute: what else there is takes them in. */
const ofContainers = [
	"server_name: $NATS_SERVER_NAME",
	"http: 8222",
	"lame_duck_duration: 30s",
	"lame_duck_grace_period: 5s",
];

export function renderNatsConf(syncAlways = false): string {
	const users = [...services.map(({ name }) => name), ...otherUsers];
	const passwords = Object.fromEntries(users.map((name) => [name, `$NATS_PASSWORD_${asVariable(name)}`]));
	const config = renderNatsConfig("0.0.0.0", "/data", { port: 4222, passwords });
	const synced = syncAlways ? replaced(config, /^jetstream \{$/m, "jetstream {\n\tsync_interval: always") : config;
	const named = replaced(synced, /^server_name: .*$/m, ofContainers.join("\n"));
	return heading + replaced(named, /"(\$NATS_PASSWORD_[A-Z_]+)"/g, (_, variable: string) => variable);
}

/** Fails if there is nothing to replace: another file renders the text and may have changed. */
function replaced(text: string, pattern: RegExp, by: string | ((match: string, group: string) => string)): string {
	const result = typeof by === "string" ? text.replace(pattern, () => by) : text.replace(pattern, by);
	if (result === text) throw new Error(`NATS' configuration has nothing like ${pattern}`);
	return result;
}

if (import.meta.main)
	for (const file of natsConfFiles) writeFileSync(file, renderNatsConf(process.argv.includes("--sync-always")));
