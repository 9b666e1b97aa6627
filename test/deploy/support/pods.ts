/** The pods that manifests make, and the settings of their containers. */
import type { IDeployment, IStatefulSet } from "kubernetes-models/apps/v1";
import type { ICronJob, IJob } from "kubernetes-models/batch/v1";
import type { IConfigMap, IContainer, IPodTemplateSpec } from "kubernetes-models/v1";
import type { Manifest } from "./manifests.ts";

export interface Pod {
	name: string;
	kind: "Deployment" | "StatefulSet" | "Job" | "CronJob";
	labels: Record<string, string>;
	spec: NonNullable<IPodTemplateSpec["spec"]>;
	/** Those that start first, too. */
	containers: IContainer[];
}

/** The manifests have met their schemas elsewhere. */
export const ofKind = <T>(manifests: Manifest[], kind: string): (T & Manifest)[] =>
	manifests.filter((manifest) => manifest.kind === kind) as unknown as (T & Manifest)[];

export function podsOf(manifests: Manifest[]): Pod[] {
	return (["Deployment", "StatefulSet", "Job", "CronJob"] as const).flatMap((kind) =>
		ofKind<IDeployment | IStatefulSet | IJob | ICronJob>(manifests, kind).map(({ metadata, spec }) => {
			const template = spec && "jobTemplate" in spec ? spec.jobTemplate.spec?.template : spec?.template;
			if (!template?.spec) throw new Error(`${kind} ${metadata.name} has no pod`);
			const containers = [...(template.spec.initContainers ?? []), ...template.spec.containers];
			return { name: metadata.name, kind, labels: template.metadata?.labels ?? {}, spec: template.spec, containers };
		}),
	);
}

/** Every reference to a Secret, as `secret/key`; a key of `*` is the whole of it. */
export const secretsOf = (pod: Pod): string[] =>
	pod.containers.flatMap(({ env = [], envFrom = [] }) => [
		...env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []).map(({ name, key }) => `${name}/${key}`),
		...envFrom.flatMap(({ secretRef }) => (secretRef ? [`${secretRef.name}/*`] : [])),
	]);

/** The settings of a container, with `secret` for what comes from a Secret: as Kubernetes makes it, `$(NAME)` being what stands before. */
export function environmentOf(manifests: Manifest[], container: IContainer): Record<string, string> {
	const maps = new Map(ofKind<IConfigMap>(manifests, "ConfigMap").map((map) => [map.metadata.name, map.data ?? {}]));
	const env: Record<string, string> = {};
	for (const { configMapRef } of container.envFrom ?? [])
		if (configMapRef?.name) Object.assign(env, maps.get(configMapRef.name) ?? missing(configMapRef.name));
	for (const { name, value, valueFrom } of container.env ?? []) {
		const { configMapKeyRef: map, secretKeyRef: secret, fieldRef } = valueFrom ?? {};
		const found = map && (maps.get(map.name ?? "") ?? missing(map.name))[map.key];
		if (map && found === undefined && map.optional !== true) throw new Error(`${map.name} has no ${map.key}`);
		const given = value ?? found ?? (secret || fieldRef ? "secret" : undefined);
		if (given !== undefined) env[name] = given.replace(/\$\((\w+)\)/g, (whole, other: string) => env[other] ?? whole);
	}
	return env;
}

/** Those that other variables of the container are made of. */
export const ingredients = ({ env = [] }: IContainer): Set<string> =>
	new Set(env.flatMap(({ value = "" }) => [...value.matchAll(/\$\((\w+)\)/g)].map((match) => match[1] ?? "")));

const missing = (name: string | undefined): never => {
	throw new Error(`there is no ConfigMap ${name}`);
};
