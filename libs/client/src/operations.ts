/** Method and path of each operation. The package contains this table generated at build time, without the contract. */
import { type OperationShape, operations } from "../../contract/index.ts";
import type { Calls } from "./contract.ts";
import type { Route } from "./route.ts";

export const routes = Object.fromEntries(
	Object.entries<OperationShape>(operations).flatMap(([name, { http, params }]) => {
		if (http === undefined) return [];
		const isList = http.method === "GET" && "cursor" in params.shape;
		const route: Route = {
			method: http.method,
			path: http.path,
			...(isList && { isList }),
			...(http.readsByPost && { isRead: true }),
		};
		return [[name, route]];
	}),
) as Record<keyof Calls, Route>;
