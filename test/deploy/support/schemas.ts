/** Faults of a manifest by the schemas of Kubernetes and KEDA, and fields that the schema does not know. */
import { ScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { CronJob, Job } from "kubernetes-models/batch/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim, Secret, Service } from "kubernetes-models/v1";
import type { Manifest } from "./manifests.ts";

interface Model {
	apiVersion: string;
	kind: string;
	prototype: { validate(): void };
}

const models: readonly Model[] = [
	...[ConfigMap, CronJob, Deployment, HorizontalPodAutoscaler, Job, Namespace, NetworkPolicy],
	...[PersistentVolumeClaim, PodDisruptionBudget, ScaledObject, Secret, Service, StatefulSet],
];

/** Answers nothing where all is well. */
export function complaints(manifest: Manifest): string[] {
	const { kind, apiVersion, metadata } = manifest;
	const Known = models.find((model) => model.kind === kind && model.apiVersion === apiVersion);
	const name = `${kind} ${metadata.name}`;
	if (Known === undefined) return [`${name}: no schema for ${apiVersion}`];
	const read = new Set<string>();
	try {
		// Called on the manifest itself: the model would copy it and read everything.
		Known.prototype.validate.call(watched(manifest, "", read));
	} catch (error) {
		return [`${name}: ${error instanceof Error ? error.message : error}`];
	}
	return paths(manifest, "")
		.filter((path) => !read.has(path))
		.map((path) => `${name}: unknown field ${path.slice(1)}`);
}

/** Schemas of Kubernetes allow any field. Those that a validator never looks at are none of the schema's. */
function watched(value: unknown, path: string, read: Set<string>): unknown {
	if (typeof value !== "object" || value === null) return value;
	return new Proxy(value, {
		get(target, key, receiver) {
			const field: unknown = Reflect.get(target, key, receiver);
			if (typeof key !== "string" || !Object.hasOwn(target, key)) return field;
			read.add(`${path}.${key}`);
			return watched(field, `${path}.${key}`, read);
		},
	});
}

function paths(value: unknown, path: string): string[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) => [`${path}.${key}`, ...paths(inner, `${path}.${key}`)]);
}
