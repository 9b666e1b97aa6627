/** deploy/k8s renders to resources that Kubernetes accepts, and every deployment follows the same rules, whatever its overlay. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { IDeployment } from "kubernetes-models/apps/v1";
import type { IHorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { configSchema as prepareSchema } from "../../deploy/container/prepare.ts";
import { optionalSecrets, secrets } from "../../deploy/container/secrets.ts";
import { services } from "../../deploy/local/services.ts";
import type { Reaction } from "../../libs/bus/events/react.ts";
import { type EventShape, streamOf } from "../../libs/contract/events/event.ts";
import { processConfig } from "../../libs/service/run-service.ts";
import { cannotRender, type DeploymentName, deployments, k8sFolder, render, sources } from "./support/manifests.ts";
import { closed, connections } from "./support/network.ts";
import { environmentOf, ingredients, ofKind, podsOf, secretsOf } from "./support/pods.ts";
import { complaints } from "./support/schemas.ts";

const names = Object.keys(deployments) as DeploymentName[];
const here = cannotRender === undefined ? "" : ` (skipped: ${cannotRender})`;
if (cannotRender !== undefined) console.warn(`deploy/k8s is not rendered: ${cannotRender}.`);

const all = services.map((one) => one.name);
const owners = services.filter(({ schema }) => schema !== undefined).map(({ name }) => name);
const always = [
	"ingress-nginx -> gateway:8080",
	...all.flatMap((one) => [`monitoring -> ${one}:9090`, `${one} -> monitoring:4318`]),
	...["queue-ingest", "signals"].map((one) => `${one} -> 0.0.0.0/0:443`),
	"billing -> 0.0.0.0/0:465,587",
	"subscriptions -> 0.0.0.0/0:443,465,587,8443",
];
const inside = [
	...all.map((one) => `${one} -> nats:4222`),
	...[...owners, "prepare"].map((one) => `${one} -> postgres:5432`),
	...["gateway -> redis:6379", "nats -> nats:6222"],
];
const managed = [
	...all.map((one) => `${one} -> 10.0.0.0/8:4222`),
	...[...owners, "prepare"].map((one) => `${one} -> 10.0.0.0/8:5432`),
	"gateway -> 10.0.0.0/8:6379",
];
const expectedConnections: Record<DeploymentName, string[]> = {
	"engines-inside": [...always, ...inside],
	"engines-managed": [...always, ...managed],
	"engines-managed, with a standby": [...always, ...managed],
	"engines-inside, scaled on lag, with payments": [
		...[...always, ...inside],
		...["keda -> nats:8222", "gateway -> 0.0.0.0/0:443"],
	],
	"engines-inside, with backups": [
		...[...always, ...inside],
		...["backup -> postgres:5432", "restore -> postgres:5432"],
	],
};

// A loop, because `describe.skipIf(...).for` does not skip.
for (const name of names)
	describe.skipIf(cannotRender)(`${name}${here}`, () => {
		test("every resource matches its schema", () => {
			expect(render(name).length).toBeGreaterThan(20);
			expect(render(name).flatMap(complaints)).toEqual([]);
		});

		test("every pod runs as a numeric user without privileges, on a read-only file system", () => {
			for (const { name: pod, spec, containers } of podsOf(render(name))) {
				expect(spec, pod).toMatchObject({
					automountServiceAccountToken: false,
					securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
				});
				expect(spec.securityContext?.runAsUser, pod).toBeGreaterThan(0);
				for (const container of containers) {
					expect(container.securityContext, `${pod}/${container.name}`).toEqual({
						allowPrivilegeEscalation: false,
						readOnlyRootFilesystem: true,
						capabilities: { drop: ["ALL"] },
					});
					expect(container.resources, `${pod}/${container.name}`).toMatchObject({
						requests: { cpu: expect.any(String), memory: expect.any(String) },
						limits: { memory: expect.any(String) },
					});
				}
			}
		});

		test("every server has its three probes", () => {
			for (const { kind, name: pod, spec } of podsOf(render(name)).filter(({ kind }) => !kind.endsWith("Job")))
				for (const container of spec.containers)
					for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"] as const)
						expect(container[probe], `${kind} ${pod}: ${probe}`).toBeDefined();
		});

		test("every service is a Deployment that keeps its replicas during a rollout or drain", () => {
			const found = ofKind<IDeployment>(render(name), "Deployment");
			expect(found.map(({ metadata }) => metadata.name).sort()).toEqual(services.map((one) => one.name).sort());
			const budgets = ofKind<IPodDisruptionBudget>(render(name), "PodDisruptionBudget");
			for (const { metadata, spec } of found) {
				expect(spec?.strategy?.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
				expect(spec?.template?.spec?.topologySpreadConstraints).toHaveLength(2);
				const budget = budgets.find((one) => one.metadata.name === metadata.name);
				expect(budget?.spec).toEqual({
					maxUnavailable: 1,
					unhealthyPodEvictionPolicy: "AlwaysAllow",
					selector: spec?.selector,
				});
			}
		});

		test("a pod has time to shut down", () => {
			const drainMs = processConfig.shape.DRAIN_MS.parse(undefined);
			for (const { labels, spec, containers } of podsOf(render(name)).filter(({ kind }) => kind === "Deployment")) {
				const [command, seconds = "0"] = containers.at(-1)?.lifecycle?.preStop?.exec?.command ?? [];
				// Only the gateway is found by its address, which others go on using for a moment.
				expect(command).toBe(labels["energy-data/role"] === "gateway" ? "sleep" : undefined);
				expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + drainMs / 1_000 + 2);
			}
		});

		test("every service scales, with at least two replicas", () => {
			const scaled = [
				...ofKind<IHorizontalPodAutoscaler>(render(name), "HorizontalPodAutoscaler").map(({ spec }) => ({
					target: spec?.scaleTargetRef.name,
					least: spec?.minReplicas,
				})),
				...ofKind<ScaledObject>(render(name), "ScaledObject").map(({ spec }) => ({
					target: spec.scaleTargetRef.name,
					least: spec.minReplicaCount,
				})),
			];
			const byName = (a: { target?: string | undefined }, b: { target?: string | undefined }) =>
				(a.target ?? "").localeCompare(b.target ?? "");
			expect(scaled.sort(byName)).toEqual(services.map((one) => ({ target: one.name, least: 2 })).sort(byName));
		});

		test("INSTANCES equals the maximum number of gateways", () => {
			const [gateway] = podsOf(render(name)).filter((pod) => pod.name === "gateway");
			const scaler = ofKind<IHorizontalPodAutoscaler>(render(name), "HorizontalPodAutoscaler").find(
				({ metadata }) => metadata.name === "gateway",
			);
			const instances = gateway?.containers[0]?.env?.find((one) => one.name === "INSTANCES")?.value;
			expect(instances).toBe(String(scaler?.spec?.maxReplicas));
		});

		test("every container gets only declared settings, and all required ones", async () => {
			for (const { name: pod, containers } of podsOf(render(name)).filter(({ kind }) =>
				/^(Deployment|Job)$/.test(kind),
			))
				for (const container of containers) {
					const schema = await settingsOf(pod, container.name);
					const env = environmentOf(render(name), container);
					const unknown = Object.keys(env).filter((key) => !(key in schema.shape) && !ingredients(container).has(key));
					expect(unknown, `${pod}/${container.name}`).toEqual([]);
					// One that is empty is none: `loadConfig` has it so.
					const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
					expect(schema.safeParse(given).error?.issues, `${pod}/${container.name}`).toBeUndefined();
				}
		});

		test("every secret is documented, and only Jobs have the administrator's", () => {
			const documented = new Set([
				...[...secrets(), ...optionalSecrets()].map((one) => `energy-secrets/${one.name}`),
				"energy-payments/*",
			]);
			const used = podsOf(render(name)).map((pod) => ({ pod: pod.name, keys: secretsOf(pod) }));
			expect(used.flatMap(({ keys }) => keys).filter((key) => !documented.has(key))).toEqual([]);
			const administrators = used.filter(({ keys }) => keys.includes("energy-secrets/POSTGRES_PASSWORD"));
			expect(administrators.map(({ pod }) => pod).sort()).toEqual(
				[
					"prepare",
					...(name.startsWith("engines-managed") ? [] : ["postgres"]),
					...(name.endsWith("with backups") ? ["backup"] : []),
				].sort(),
			);
			expect(ofKind(render(name), "Secret")).toEqual([]);
		});

		test("no pod connects to another unless it has to", () => {
			const pods = podsOf(render(name)).map((pod) => pod.name);
			expect(closed(render(name)).sort()).toEqual(pods.sort());
			const found = connections(render(name)).filter((one) => !one.endsWith("-> kube-system:53"));
			expect(found).toEqual(expectedConnections[name].sort());
		});
	});

test.skipIf(cannotRender)(`services read from the standby with their role of the primary${here}`, () => {
	const found = ofKind<IDeployment>(render("engines-managed, with a standby"), "Deployment").flatMap(
		({ metadata, spec }) => {
			const env = spec?.template?.spec?.containers[0]?.env ?? [];
			const at = (variable: string) => env.findIndex((one) => one.name === variable);
			const url = env[at("POSTGRES_READ_URL")]?.value;
			// Kubernetes puts in what stands before it.
			if (url !== undefined) expect(at("POSTGRES_READ_URL")).toBeGreaterThan(at("POSTGRES_READ_ADDRESS"));
			return url === undefined ? [] : [`${metadata.name}: ${url}`];
		},
	);
	expect(found.sort()).toEqual([
		"queue-ingest: postgres://queue_ingest:$(POSTGRES_PASSWORD)@$(POSTGRES_READ_ADDRESS)",
		"scoring: postgres://scoring:$(POSTGRES_PASSWORD)@$(POSTGRES_READ_ADDRESS)",
		"signals: postgres://signals:$(POSTGRES_PASSWORD)@$(POSTGRES_READ_ADDRESS)",
	]);
});

test("the consumers used for scaling exist", async () => {
	const text = readFileSync(join(k8sFolder, "components/scale-on-lag/scaled-objects.yaml"), "utf8");
	const scaled = [...text.matchAll(/stream: (\S+)\n\s+consumer: (\S+)/g)].map(([, stream, consumer]) => [
		stream,
		consumer,
	]);
	expect(scaled.sort()).toEqual((await durables()).sort());
});

test("every manifest file matches its schema", () => {
	expect(sources().length).toBeGreaterThan(30);
	expect(sources().flatMap(complaints)).toEqual([]);
});

test("a misspelt field, a wrong type and an unknown kind are reported", () => {
	const deployment = (container: object) => ({
		apiVersion: "apps/v1",
		kind: "Deployment",
		metadata: { name: "x" },
		spec: {
			selector: { matchLabels: { a: "b" } },
			template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "x", ...container }] } },
		},
	});
	expect(complaints(deployment({ image: "x" }))).toEqual([]);
	expect(complaints(deployment({ livnessProbe: {} }))).toEqual([
		"Deployment x: unknown field spec.template.spec.containers.0.livnessProbe",
	]);
	expect(complaints(deployment({ resources: { limits: { memory: true } } }))[0]).toContain("limits/memory must be");
	expect(complaints({ ...deployment({}), apiVersion: "apps/v2" })).toEqual(["Deployment x: no schema for apps/v2"]);
});

interface ScaledObject {
	spec: { scaleTargetRef: { name: string }; minReplicaCount: number };
}

/** Reads them as the container's program does. */
async function settingsOf(pod: string, container: string): Promise<z.ZodObject> {
	if (pod === "prepare") return prepareSchema;
	const { configSchema } = await import(`../../services/${pod}/config.ts`);
	if (container === "migrate") return z.object({ POSTGRES_URL: configSchema.shape.POSTGRES_URL });
	return processConfig.extend(configSchema.shape);
}

/** Stream and name of every reaction's durable consumer, from the reactions themselves. */
async function durables(): Promise<string[][]> {
	const found = await Promise.all(
		services.map(async ({ name }) => {
			const folder = join(import.meta.dirname, "../../services", name);
			const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
				(file) =>
					file.endsWith(".ts") &&
					!file.endsWith(".test.ts") &&
					/: Reaction</.test(readFileSync(join(folder, file), "utf8")),
			);
			const modules = await Promise.all(files.map((file) => import(join(folder, file))));
			return modules.flatMap((module) => Object.values(module)).filter(isReaction);
		}),
	);
	return found.flat().map(({ service, name, event }) => [streamOf(event.publisher), `${service}-${name}`]);
}

function isReaction(value: unknown): value is Reaction<EventShape> {
	return typeof value === "object" && value !== null && "service" in value && "event" in value && "handler" in value;
}
