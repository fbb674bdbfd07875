// Written by `npm run console:types` from the OpenAPI document of the operator API.

export interface paths {
    "/operator/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    limit?: number;
                    cursor?: string;
                    requestId?: string;
                    route?: string;
                    status?: number;
                    code?: string;
                    since?: string;
                    until?: string;
                    clientAppId: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["LoggedRequestView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    subjectType?: "transaction" | "customer_event" | "discard" | "look_back" | "delivery" | "webhook_endpoint" | "client_app" | "rule" | "ruleset" | "backtest" | "custom_field_schema" | "fx_import" | "operator" | "operator_invitation" | "customer" | "review" | "screening_list" | "screening_hit" | "freeze" | "communication" | "coaf_institution" | "dossier" | "artifact" | "flow" | "flow_draft" | "privacy_notice" | "reverification" | "session" | "provider" | "repair" | "approval" | "audit_log" | "audit_export" | "operations" | "state" | "access" | "catalogue";
                    subjectId?: string;
                    action?: string;
                    from?: string;
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AuditEventView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/trails/{subjectType}/{subjectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    subjectType: "transaction" | "customer_event" | "discard" | "look_back" | "delivery" | "webhook_endpoint" | "client_app" | "rule" | "ruleset" | "backtest" | "custom_field_schema" | "fx_import" | "operator" | "operator_invitation" | "customer" | "review" | "screening_list" | "screening_hit" | "freeze" | "communication" | "coaf_institution" | "dossier" | "artifact" | "flow" | "flow_draft" | "privacy_notice" | "reverification" | "session" | "provider" | "repair" | "approval" | "audit_log" | "audit_export" | "operations" | "state" | "access" | "catalogue";
                    subjectId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TrailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AuditStatusView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AuditHealthView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/witnesses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WitnessBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["WitnessedView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CheckpointView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    index: number;
                    size?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["InclusionProofView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    from: number;
                    to?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ConsistencyProofView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "QUEUED" | "RUNNING" | "READY" | "BLOCKED" | "FAILED" | "EXPIRED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExportView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExportBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExportView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExportView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/exports/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: {
                    "If-Range"?: string;
                    Range?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": string;
                    };
                };
                206: {
                    headers: {
                        ETag?: string;
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/gaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FindingView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    inbox?: "TO_APPROVE" | "MINE" | "DONE" | "ALL";
                    act?: "dead_letter.discard" | "ruleset.look_back" | "list.look_back" | "client_app.grant" | "client_app.inputs" | "ruleset.publish" | "rule.snooze" | "custom_fields.change" | "fx.import" | "operator.empower" | "operator.invite" | "customer.lower_risk" | "fact.confirm" | "customer.lift_legal_hold" | "customer.erase" | "case.close" | "list.change" | "list.import" | "hit.decide" | "hit.reopen" | "freeze.lift" | "communication.file" | "communication.dismiss" | "flow.publish" | "provider.publish" | "trail.repair" | "log.restart";
                    subject?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/approvals/control": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ControlView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApproveBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/approvals/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApprovalReasonBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/approvals/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApprovalReasonBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/log-restarts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["LogRestartView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LogRestartBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/repairs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "REQUESTED" | "APPLIED" | "REFUSED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RepairView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RepairBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/audit/repairs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RepairView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "ENABLED" | "DISABLED" | "REVOKED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ClientAppView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewClientAppBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["NewClientAppView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ClientAppView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ClientAppView"];
                            error: null;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeClientAppBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ClientAppView"];
                            error: null;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/operator/client-apps/{id}/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["GrantScopesBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ClientAppView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ClientAppView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}/enable/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AskToEnableBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}/secrets/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AskForSecretBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SecretApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RotateClientSecretBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["NewSecretView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}/secrets/{secretId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    secretId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ClientAppView"];
                            error: null;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}/inputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InputProfileBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/quotas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["QuotasView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LoginBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["GrantView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "x-csrf-token"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefreshBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["GrantView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/logout-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecretExchangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["GrantView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetupBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AcceptInvitationBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/oidc/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    organisation?: string;
                    invitation?: string;
                    cookie?: "true" | "false";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: never;
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["GrantView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["InvitationView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InviteBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["MeView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangePasswordBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReauthenticationBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TotpSeedView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TotpCodeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RecoveryCodesView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecondFactorFields"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReauthenticationBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RecoveryCodesView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorSessionView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PasskeyView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReauthenticationBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CreateOptionsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/passkeys/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AddPasskeyBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CreatedPasskeyView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/passkeys/{id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReauthenticationBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me/step-up/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RequestOptionsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    kind?: "PERSON" | "MACHINE";
                    status?: "ENABLED" | "DISABLED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewMachineBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["NewOperatorView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operators/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UpdateOperatorBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ChangedOperatorView"];
                            error: null;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/operator/operators/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ChangedOperatorView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operators/{id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RolesBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operators/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReasonBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operators/{id}/totp/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorReasonBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operators/{id}/sessions/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operators/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SecretView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasskeyOptionsBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RequestOptionsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/auth/passkeys/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasskeyLoginBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["GrantView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/versions/{version}/backtests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    key: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["BacktestView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    key: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BacktestBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["BacktestView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/versions/{version}/backtests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    version: number;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["BacktestView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/versions/{version}/backtests/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    version: number;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["BacktestView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomFieldSchemaView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CustomFieldsBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/custom-fields/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomFieldSchemaView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/custom-fields/backfills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomFieldBackfillView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/custom-fields/backfills/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomFieldBackfillView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    key?: string;
                    status?: "DRAFT" | "RELEASED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RuleView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RuleDraftBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RuleView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules/features": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FeaturesView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CheckRuleBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CheckedRuleView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules/{key}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RuleView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules/{key}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RuleView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    key?: string;
                    status?: "DRAFT" | "PUBLISHED" | "ARCHIVED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RulesetView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRulesetBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RulesetView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RulesetView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeRulesetBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RulesetView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/versions/{version}/rules/{rule}/mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    rule: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RuleModeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RulesetView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/versions/{version}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PublicationBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/versions/{version}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RulesetReasonBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RulesetView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RollbackBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/rules/{rule}/mode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    rule: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RuleModeBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RulesetView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/snoozes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SnoozeView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/rules/{rule}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    rule: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SnoozeBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/snoozes/{id}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SnoozeView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/fx/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["NewestRatesView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ImportRatesBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "ACTIVE" | "PAUSED" | "DISABLED";
                    clientAppId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorCreateEndpointBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointSecretView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeEndpointBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointView"];
                            error: null;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PauseEndpointBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DisableEndpointBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RotateEndpointSecretBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointSecretView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TestEventBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TestEventView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    hours?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EndpointStatisticsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RecoverBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RecoveryView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RecoveryView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-endpoints/{id}/recoveries/{recoveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    recoveryId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RecoveryView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    endpointId?: string;
                    eventId?: string;
                    status?: "PENDING" | "SENDING" | "DELIVERED" | "EXHAUSTED" | "CANCELLED";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DeliveryView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorDeliveryDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhook-deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DeliveryView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    limit?: number;
                    cursor?: string;
                    clientAppId: string;
                    type?: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EventView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EventDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: {
                    preview?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProfileRowBody"][];
                    "application/x-ndjson": components["schemas"]["ProfileRowBody"][];
                    "text/csv": components["schemas"]["ProfileRowBody"][];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ProfilesOutcomeView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/profiles/template": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    document?: string;
                    externalCustomerId?: string;
                    riskLevel?: "LOW" | "MEDIUM" | "HIGH";
                    ids?: string[];
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomerSummaryView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomerDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RevealedCustomerView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProfileBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomerDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/operator/customers/{id}/facts/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhyBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/risk-level": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RiskLevelBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomerDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/risk-level/lower": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RiskLevelRequestBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/relationship": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RelationshipBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomerDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/legal-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CustomerDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/legal-hold/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhyBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhyBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/freezes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FreezeView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/freezes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FreezeView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/freezes/{id}/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoticeBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FreezeView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/freezes/{id}/lift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FreezeReasonBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/hits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "PENDING" | "CONFIRMED" | "DISMISSED_FALSE_POSITIVE" | "ESCALATED";
                    mandatory?: boolean;
                    listId?: string;
                    customerId?: string;
                    forCustomerId?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["HitView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/hits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["HitView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/hits/{id}/disposition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DispositionBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["HitView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/hits/{id}/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DispositionBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/hits/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FreezeReasonBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/hits/{id}/cleared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ClearedView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists/{id}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ImportView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /** Format: binary */
                        file: string;
                        /** Format: binary */
                        aliases?: string;
                        /**
                         * @default ON_SHRINK
                         * @enum {string}
                         */
                        confirmation?: "ON_SHRINK" | "ALWAYS";
                    };
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ImportView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists/{id}/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    importId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ImportDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists/{id}/imports/{importId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    importId: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ImportReasonBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists/{id}/imports/{importId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    importId: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ImportView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ListView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ListBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ListView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ListView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ListNameBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ListView"];
                            error: null;
                        };
                    };
                };
            };
        };
        trace?: never;
    };
    "/operator/lists/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ListChangeBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EntryView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists/{id}/entries/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EntryView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/screening/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SearchBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SearchResultView"][];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/artifacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ArtifactView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/artifacts/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    page?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/artifacts/{id}/original": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": string;
                        "image/png": string;
                        "image/webp": string;
                        "application/pdf": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/artifacts/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkArtifactBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ArtifactView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MergeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/unmerge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CaseReasonBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SplitBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AddPeopleBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/people/{customer}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    customer: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CaseReasonBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /** Format: binary */
                        file: string;
                    };
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ArtifactView"];
                            error: null;
                        };
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ArtifactView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "OPEN" | "IN_ANALYSIS" | "AWAITING_INFO" | "PENDING_APPROVAL" | "CLOSED" | "MERGED";
                    kind?: "SCORE" | "HIT" | "DATA_GAP" | "SESSION" | "MANUAL";
                    theme?: "SCREENING" | "STRUCTURING" | "ACCOUNT_TAKEOVER" | "FRAUD" | "GEOGRAPHY" | "CUSTOMER" | "IDENTITY" | "DATA_GAP" | "OTHER";
                    priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW";
                    queue?: string;
                    assignee?: string;
                    customerId?: string;
                    transaction?: string;
                    overdue?: boolean;
                    rule?: string;
                    country?: string;
                    lookBack?: string;
                    amountFrom?: number;
                    amountTo?: number;
                    scoreFrom?: number;
                    scoreTo?: number;
                    openedFrom?: string;
                    openedTo?: string;
                    text?: string;
                    sort?: "URGENCY" | "CLOCK" | "NEWEST" | "OLDEST" | "AMOUNT" | "POINTS";
                    include?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CaseRowView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OpenReviewBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkAssignmentBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AssignmentsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewTimelineView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AssignBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoteBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AddTransactionsBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/related-transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RelatedTransactionsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CaseReasonBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/transactions/{transaction}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    transaction: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CaseReasonBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/request-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RequestInfoBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoteBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DecisionBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CaseReasonBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReviewFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ProvidersView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProviderBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/providers/{name}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ProviderView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/providers/{name}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ProviderSecretView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/{key}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FlowDraftView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FlowDraftBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FlowDraftView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/{key}/draft/difference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FlowDifferenceView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/{key}/draft/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PreviewView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/{key}/draft/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PublishDraftBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FlowDraftBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CheckedFlowView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/{key}/funnel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    version?: number;
                    days?: number;
                };
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FunnelView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FlowView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewFlowBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FlowView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/{key}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["FlowView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NextFlowBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/flows/{key}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FormerFlowBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/client-apps/{id}/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /** Format: binary */
                        file: string;
                    };
                };
            };
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/privacy-notice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CurrentPrivacyNoticeView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PrivacyNoticeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PrivacyNoticeVersionView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/kyc-sessions/{id}/resubmissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResubmissionBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RoundStartedView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/kyc-sessions/{id}/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CompanyTreeView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/kyc-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "PENDING" | "PROCESSING" | "COMPLETED" | "EXPIRED";
                    customerId?: string;
                    flowKey?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SessionView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewOperatorSessionBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["IssuedLinkView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/kyc-sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SessionView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/kyc-sessions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SessionView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reverification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReverificationTermsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReverificationBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReverificationView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/kyc-sessions/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SessionEvidenceView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/kyc-sessions/{id}/evidence/reveal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhyBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SessionEvidenceView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    code?: string;
                    stage?: string;
                    type?: string;
                    discarded?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ListedDeadLetterView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/dead-letters/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeadLetterFilterBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReplayedView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/dead-letters/discards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DiscardView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkDiscardBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AskedDiscardView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/dead-letters/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DeadLetterView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/dead-letters/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReplayedView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/dead-letters/{id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DiscardReasonBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["AskedDiscardView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: "QUEUED" | "PROCESSING" | "COMPLETED" | "DEAD_LETTERED";
                    outcome?: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED";
                    type?: string;
                    clientApp?: string;
                    transactionId?: string;
                    externalCustomerId?: string;
                    customerId?: string;
                    minScore?: number;
                    defensible?: boolean;
                    receivedFrom?: string;
                    receivedTo?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ListedTransactionView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/transactions/pipeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PipelineView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TransactionFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/transactions/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["TimelineView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/transactions/{id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    version?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DecisionReceiptView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rules/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DryRunBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DryRunView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/transactions/{id}/re-evaluate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: {
                    "Idempotency-Key"?: string;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ReEvaluationView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/inputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    days?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["InputReportView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/rulesets/{key}/versions/{version}/look-backs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    key: string;
                    version: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LookBackBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/lists/{id}/look-backs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LookBackBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/look-backs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["LookBackView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/look-backs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["LookBackView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/look-backs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["LookBackView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    q: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SearchFindingsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/relations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["RelationsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/communications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    kind?: "SUSPICION" | "CASH";
                    status?: "DRAFT" | "RECORDED" | "FILED" | "DISMISSED";
                    customerId?: string;
                    overdue?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CommunicationView"][];
                            page: components["schemas"]["PageInfoView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/communications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CommunicationDetailView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/communications/{id}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    file: "siscoaf.xml" | "RIF_Comunicacoes.csv" | "RIF_Envolvidos.csv" | "RIF_Ocorrencias.csv";
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/xml": string;
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/communications/{id}/filing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FilingBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/year": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query: {
                    year: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["YearView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/institution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["InstitutionView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InstitutionBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["InstitutionView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/communications/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CommunicationContentView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/communications/{id}/edits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EditCommunicationBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CommunicationContentView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/coaf/communications/{id}/dismissal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WhyBody"];
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ApprovalView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/figures/compliance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ComplianceFiguresView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/figures/compliance.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    from?: string;
                    to?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/dossier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: "pt-BR" | "en";
                    auditReady?: boolean;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DossierView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/dossier.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: "pt-BR" | "en";
                    auditReady?: boolean;
                    pictures?: boolean;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/dossier": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: "pt-BR" | "en";
                    auditReady?: boolean;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["DossierView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/dossier.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: "pt-BR" | "en";
                    auditReady?: boolean;
                    pictures?: boolean;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/subject-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: "pt-BR" | "en";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SubjectExportView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/customers/{id}/subject-export.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    lang?: "pt-BR" | "en";
                    pictures?: boolean;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkDecisionBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["BulkView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/hits/proposals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkDispositionBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["BulkView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/reviews/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CaseFileView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["CountsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PeopleView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: {
                    topics?: ("queue" | "cases" | "hits" | "approvals" | "sessions" | "transactions" | "badges")[];
                    case?: string;
                };
                header: {
                    authorization: string;
                    "Last-Event-ID"?: string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SavedViewsView"];
                            error: null;
                        };
                    };
                };
            };
        };
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SavedViewBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SavedIdView"];
                            error: null;
                        };
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SavedViewBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["SavedIdView"];
                            error: null;
                        };
                    };
                };
            };
        };
        post?: never;
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: null;
                            error: null;
                        };
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        RequestFaultView: {
            path: string;
            code: string;
        };
        LoggedRequestView: {
            requestId: string;
            correlationId: string;
            /** Format: date-time */
            at: string;
            method: string;
            route: string;
            status: number;
            code: string | null;
            durationMs: number;
            bytesIn: number | null;
            fields: string[];
            faults: components["schemas"]["RequestFaultView"][];
        };
        PageInfoView: {
            limit: number;
            nextCursor: string | null;
            hasMore: boolean;
        };
        AuditEventView: {
            index: number;
            /** @enum {string} */
            subjectType: "transaction" | "customer_event" | "discard" | "look_back" | "delivery" | "webhook_endpoint" | "client_app" | "rule" | "ruleset" | "backtest" | "custom_field_schema" | "fx_import" | "operator" | "operator_invitation" | "customer" | "review" | "screening_list" | "screening_hit" | "freeze" | "communication" | "coaf_institution" | "dossier" | "artifact" | "flow" | "flow_draft" | "privacy_notice" | "reverification" | "session" | "provider" | "repair" | "approval" | "audit_log" | "audit_export" | "operations" | "state" | "access" | "catalogue";
            subjectId: string;
            subjectSeq: number;
            action: string;
            actor: string;
            requestId: string | null;
            correlationId: string | null;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            recordedAt: string;
            content: {
                [key: string]: unknown;
            };
            hash: string;
            canonical: string;
        };
        TrailGapView: {
            /** @enum {string} */
            kind: "MISSING_EVENTS" | "CHAIN_BROKEN" | "TAMPERED" | "STATE_MISMATCH" | "MISSING" | "SEALED_LATE" | "LOG_ROLLED_BACK";
            seq: number | null;
            detail: string;
        };
        TrailRepairView: {
            id: string;
            /** @enum {string} */
            kind: "RECONSTRUCT" | "RE_DERIVE" | "RESTORE" | "ATTEST";
        };
        TrailView: {
            /** @enum {string} */
            status: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
            length: number;
            gaps: components["schemas"]["TrailGapView"][];
            repairs: components["schemas"]["TrailRepairView"][];
            pruned: number;
        };
        CheckpointView: {
            incarnation: number;
            size: number;
            root: string;
            /** Format: date-time */
            signedAt: string;
            note: string;
        };
        AuditStatusView: {
            checkpoint: components["schemas"]["CheckpointView"] | null;
            verifierKeys: string[];
            pending: number;
            pruned: number;
        };
        HealthCountView: {
            /** @enum {string} */
            status: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
            count: number;
        };
        HealthFindingView: {
            subject: string;
            /** @enum {string} */
            status: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
            consequence: boolean;
            /** Format: date-time */
            foundAt: string;
            gaps: components["schemas"]["TrailGapView"][];
        };
        HealthAttackedView: {
            subject: string;
            harms: ("ROWS_CHANGED" | "ROWS_GONE" | "ROWS_BOUND_BY_HAND" | "ENTRIES_CHANGED" | "ENTRIES_GONE" | "SEALED_LATE" | "LOG_DAMAGED" | "KEYS_GONE" | "FINDINGS_WIPED" | "DATABASE_CHANGED")[];
            tables: string[];
            /** Format: date-time */
            foundAt: string;
        };
        HealthSufferingView: {
            because: string;
            subjects: number;
        };
        HealthIncidentView: {
            /** Format: date-time */
            since: string;
            attackedCount: number;
            attacked: components["schemas"]["HealthAttackedView"][];
            suffering: components["schemas"]["HealthSufferingView"][];
        };
        HealthAnchorView: {
            /** @enum {string} */
            kind: "FILE" | "WITNESS" | "WEBHOOK";
            name: string;
            size: number;
            behind: number;
            /** Format: date-time */
            seenAt: string;
            holds: boolean | null;
        };
        HealthWatchView: {
            /** @enum {string} */
            status: "AS_MIGRATED" | "DIFFERS";
            differences: string[];
        };
        HealthSweepView: {
            /** @enum {string} */
            status: "RUNNING" | "OFF" | "STALLED";
            cycle: number;
            coverage: number | null;
            /** Format: date-time */
            finishedAt: string | null;
        };
        AuditHealthView: {
            /** @enum {string} */
            status: "GREEN" | "RED";
            checkpoint: components["schemas"]["CheckpointView"] | null;
            waiting: number;
            oldestSeconds: number;
            sealedLate: number;
            rolledBack: boolean;
            findings: components["schemas"]["HealthCountView"][];
            subjects: components["schemas"]["HealthFindingView"][];
            incident: components["schemas"]["HealthIncidentView"] | null;
            anchors: components["schemas"]["HealthAnchorView"][];
            watchdog: components["schemas"]["HealthWatchView"];
            sweep: components["schemas"]["HealthSweepView"] | null;
        };
        WitnessedView: {
            size: number;
            holds: boolean;
        };
        WitnessBody: {
            note: string;
            key: string;
        };
        InclusionProofView: {
            index: number;
            size: number;
            leaf: string;
            path: string[];
            root: string;
        };
        ConsistencyProofView: {
            from: number;
            to: number;
            path: string[];
        };
        TrailSummaryView: {
            subjects: number;
            complete: number;
            attested: number;
            incomplete: number;
            pruned: number;
        };
        ExportResultView: {
            entries: number;
            bytes: number;
            sha256: string;
            manifestSha256: string;
            treeSize: number;
            root: string;
            trails: components["schemas"]["TrailSummaryView"];
        };
        TrailNoteView: {
            subject: string;
            /** @enum {string} */
            status: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
            gaps: components["schemas"]["TrailGapView"][];
        };
        ExportView: {
            id: string;
            /** @enum {string} */
            status: "QUEUED" | "RUNNING" | "READY" | "BLOCKED" | "FAILED" | "EXPIRED";
            progress: number;
            filter: {
                [key: string]: string;
            };
            reason: string;
            auditReady: boolean;
            /** @enum {string} */
            language: "pt-BR" | "en";
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            downloads: number;
            result: components["schemas"]["ExportResultView"] | null;
            gaps: components["schemas"]["TrailNoteView"][];
            failureCode: string | null;
        };
        ExportBody: {
            reason: string;
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
            /** @enum {string} */
            subjectType?: "transaction" | "customer_event" | "discard" | "look_back" | "delivery" | "webhook_endpoint" | "client_app" | "rule" | "ruleset" | "backtest" | "custom_field_schema" | "fx_import" | "operator" | "operator_invitation" | "customer" | "review" | "screening_list" | "screening_hit" | "freeze" | "communication" | "coaf_institution" | "dossier" | "artifact" | "flow" | "flow_draft" | "privacy_notice" | "reverification" | "session" | "provider" | "repair" | "approval" | "audit_log" | "audit_export" | "operations" | "state" | "access" | "catalogue";
            subjectId?: string;
            action?: string;
            customerId?: string;
            reviewId?: string;
            /** @default true */
            auditReady?: boolean;
            /**
             * @default pt-BR
             * @enum {string}
             */
            language?: "pt-BR" | "en";
        };
        FindingView: {
            /** @enum {string} */
            subjectType: "transaction" | "customer_event" | "discard" | "look_back" | "delivery" | "webhook_endpoint" | "client_app" | "rule" | "ruleset" | "backtest" | "custom_field_schema" | "fx_import" | "operator" | "operator_invitation" | "customer" | "review" | "screening_list" | "screening_hit" | "freeze" | "communication" | "coaf_institution" | "dossier" | "artifact" | "flow" | "flow_draft" | "privacy_notice" | "reverification" | "session" | "provider" | "repair" | "approval" | "audit_log" | "audit_export" | "operations" | "state" | "access" | "catalogue";
            subjectId: string;
            /** @enum {string} */
            status: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
            gaps: components["schemas"]["TrailGapView"][];
            /** Format: date-time */
            foundAt: string;
        };
        ApprovalHitView: {
            id: string;
            status: string;
        };
        SummaryPartyView: {
            name: string | null;
            documentMasked: string | null;
            role: string;
        };
        SummaryEditView: {
            revision: number;
            editedBy: string;
            /** Format: date-time */
            editedAt: string;
            fields: string[];
            reason: string;
        };
        SummaryCommunicationView: {
            /** Format: date */
            from: string | null;
            /** Format: date */
            to: string | null;
            credit: string;
            debit: string;
            codes: number[];
            details: string;
            parties: components["schemas"]["SummaryPartyView"][];
            edits: components["schemas"]["SummaryEditView"][];
        };
        SummaryFactView: {
            field: string;
            before: (string | number | boolean) | null;
            after: (string | number | boolean) | null;
            withheld: boolean;
            writtenBy: string | null;
            /** Format: date-time */
            writtenAt: string | null;
        };
        SummaryWordsView: {
            "pt-BR": string;
            en: string;
        };
        SummaryLineView: {
            what: components["schemas"]["SummaryWordsView"];
            before: components["schemas"]["SummaryWordsView"] | null;
            after: components["schemas"]["SummaryWordsView"] | null;
        };
        ApprovalSummaryView: {
            customerId: string | null;
            customerName: string | null;
            amount: string | null;
            rules: string[];
            transactions: number | null;
            hits: components["schemas"]["ApprovalHitView"][];
            justification: string | null;
            communication: components["schemas"]["SummaryCommunicationView"] | null;
            facts: components["schemas"]["SummaryFactView"][];
            lines: components["schemas"]["SummaryLineView"][];
        };
        ApprovalView: {
            id: string;
            /** @enum {string} */
            act: "dead_letter.discard" | "ruleset.look_back" | "list.look_back" | "client_app.grant" | "client_app.inputs" | "ruleset.publish" | "rule.snooze" | "custom_fields.change" | "fx.import" | "operator.empower" | "operator.invite" | "customer.lower_risk" | "fact.confirm" | "customer.lift_legal_hold" | "customer.erase" | "case.close" | "list.change" | "list.import" | "hit.decide" | "hit.reopen" | "freeze.lift" | "communication.file" | "communication.dismiss" | "flow.publish" | "provider.publish" | "trail.repair" | "log.restart";
            effect: string;
            subjectType: string;
            subjectId: string;
            link: string | null;
            summary?: components["schemas"]["ApprovalSummaryView"] | null;
            before: {
                [key: string]: unknown;
            };
            after: {
                [key: string]: unknown;
            };
            digest: string;
            reason: string;
            /** @enum {string} */
            status: "REQUESTED" | "APPROVED" | "APPLIED" | "REFUSED" | "WITHDRAWN" | "EXPIRED" | "FAILED";
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            expiresAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            decisionReason: string | null;
            /** Format: date-time */
            effectiveAt: string | null;
            /** Format: date-time */
            appliedAt: string | null;
            singleControl: boolean;
            undo: string;
        };
        DependentPersonView: {
            id: string;
            acts: ("dead_letter.discard" | "ruleset.look_back" | "list.look_back" | "client_app.grant" | "client_app.inputs" | "ruleset.publish" | "rule.snooze" | "custom_fields.change" | "fx.import" | "operator.empower" | "operator.invite" | "customer.lower_risk" | "fact.confirm" | "customer.lift_legal_hold" | "customer.erase" | "case.close" | "list.change" | "list.import" | "hit.decide" | "hit.reopen" | "freeze.lift" | "communication.file" | "communication.dismiss" | "flow.publish" | "provider.publish" | "trail.repair" | "log.restart")[];
            /** Format: date-time */
            until: string;
        };
        SingleControlPersonView: {
            id: string;
            alone: ("dead_letter.discard" | "ruleset.look_back" | "list.look_back" | "client_app.grant" | "client_app.inputs" | "ruleset.publish" | "rule.snooze" | "custom_fields.change" | "fx.import" | "operator.empower" | "operator.invite" | "customer.lower_risk" | "fact.confirm" | "customer.lift_legal_hold" | "customer.erase" | "case.close" | "list.change" | "list.import" | "hit.decide" | "hit.reopen" | "freeze.lift" | "communication.file" | "communication.dismiss" | "flow.publish" | "provider.publish" | "trail.repair" | "log.restart")[];
            notIndependent: components["schemas"]["DependentPersonView"][];
        };
        ControlView: {
            singleControl: ("dead_letter.discard" | "ruleset.look_back" | "list.look_back" | "client_app.grant" | "client_app.inputs" | "ruleset.publish" | "rule.snooze" | "custom_fields.change" | "fx.import" | "operator.empower" | "operator.invite" | "customer.lower_risk" | "fact.confirm" | "customer.lift_legal_hold" | "customer.erase" | "case.close" | "list.change" | "list.import" | "hit.decide" | "hit.reopen" | "freeze.lift" | "communication.file" | "communication.dismiss" | "flow.publish" | "provider.publish" | "trail.repair" | "log.restart")[];
            people: components["schemas"]["SingleControlPersonView"][];
            singleHanded: boolean;
        };
        ApproveBody: {
            digest: string;
            singleControl?: boolean;
        };
        ApprovalReasonBody: {
            reason: string;
        };
        LogRestartBody: {
            reason: string;
        };
        LogRestartView: {
            id: string;
            /** @enum {string} */
            status: "REQUESTED" | "APPROVED" | "REFUSED";
            incarnation: number;
            restoredSize: number;
            anchorSize: number;
            anchorRoot: string;
            reason: string;
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            approvedBy: string | null;
        };
        RepairBody: {
            /** @enum {string} */
            subjectType: "transaction" | "customer_event" | "discard" | "look_back" | "delivery" | "webhook_endpoint" | "client_app" | "rule" | "ruleset" | "backtest" | "custom_field_schema" | "fx_import" | "operator" | "operator_invitation" | "customer" | "review" | "screening_list" | "screening_hit" | "freeze" | "communication" | "coaf_institution" | "dossier" | "artifact" | "flow" | "flow_draft" | "privacy_notice" | "reverification" | "session" | "provider" | "repair" | "approval" | "audit_log" | "audit_export" | "operations" | "state" | "access" | "catalogue";
            subjectId: string;
            /** @enum {string} */
            kind: "RECONSTRUCT" | "RE_DERIVE" | "RESTORE" | "ATTEST";
            justification: string;
            canonical?: string;
        };
        RepairView: {
            id: string;
            /** @enum {string} */
            subjectType: "transaction" | "customer_event" | "discard" | "look_back" | "delivery" | "webhook_endpoint" | "client_app" | "rule" | "ruleset" | "backtest" | "custom_field_schema" | "fx_import" | "operator" | "operator_invitation" | "customer" | "review" | "screening_list" | "screening_hit" | "freeze" | "communication" | "coaf_institution" | "dossier" | "artifact" | "flow" | "flow_draft" | "privacy_notice" | "reverification" | "session" | "provider" | "repair" | "approval" | "audit_log" | "audit_export" | "operations" | "state" | "access" | "catalogue";
            subjectId: string;
            /** @enum {string} */
            kind: "RECONSTRUCT" | "RE_DERIVE" | "RESTORE" | "ATTEST";
            /** @enum {string} */
            status: "REQUESTED" | "APPLIED" | "REFUSED";
            gaps: components["schemas"]["TrailGapView"][];
            justification: string;
            evidence: {
                [key: string]: string;
            };
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
        };
        BrandingView: {
            /** Format: uri */
            logoUrl: string | null;
            primaryColor: string | null;
        };
        RateLimitView: {
            perSecond: number;
            burst: number;
        };
        ClientSecretView: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        ClientAppView: {
            id: string;
            clientId: string;
            /** @enum {string} */
            environment: "sandbox" | "staging" | "production";
            name: string;
            publicName: string;
            branding: components["schemas"]["BrandingView"];
            /** @enum {string} */
            status: "ENABLED" | "DISABLED" | "REVOKED";
            scopes: ("kyt:ingest" | "transactions:write" | "kyt:read" | "customers:read" | "customers:write" | "events:read" | "requests:read" | "sessions:read" | "webhooks:manage" | "sessions:create")[];
            rateLimit: components["schemas"]["RateLimitView"];
            ipAllowList: string[];
            corsOrigins: string[];
            redirectUrls: string[];
            withoutInputs: ("DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT")[];
            hasLogo: boolean;
            apiVersion: string;
            secrets: components["schemas"]["ClientSecretView"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        NewClientAppView: {
            id: string;
            clientId: string;
            /** @enum {string} */
            environment: "sandbox" | "staging" | "production";
            name: string;
            publicName: string;
            branding: components["schemas"]["BrandingView"];
            /** @enum {string} */
            status: "ENABLED" | "DISABLED" | "REVOKED";
            scopes: ("kyt:ingest" | "transactions:write" | "kyt:read" | "customers:read" | "customers:write" | "events:read" | "requests:read" | "sessions:read" | "webhooks:manage" | "sessions:create")[];
            rateLimit: components["schemas"]["RateLimitView"];
            ipAllowList: string[];
            corsOrigins: string[];
            redirectUrls: string[];
            withoutInputs: ("DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT")[];
            hasLogo: boolean;
            apiVersion: string;
            secrets: components["schemas"]["ClientSecretView"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            clientSecret: string;
        };
        BrandingBody: {
            /** Format: uri */
            logoUrl?: string | null;
            primaryColor?: string | null;
        };
        RateLimitBody: {
            perSecond: number;
            burst: number;
        };
        NewClientAppBody: {
            branding?: components["schemas"]["BrandingBody"];
            scopes?: ("kyt:ingest" | "transactions:write" | "kyt:read" | "customers:read" | "customers:write" | "events:read" | "requests:read" | "sessions:read" | "webhooks:manage" | "sessions:create")[];
            rateLimit?: components["schemas"]["RateLimitBody"];
            ipAllowList?: string[];
            corsOrigins?: string[];
            redirectUrls?: string[];
            withoutInputs?: ("DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT")[];
            /** @enum {string} */
            apiVersion?: "2026-11-01";
            name: string;
            publicName: string;
        };
        ChangeClientAppBody: {
            branding?: components["schemas"]["BrandingBody"];
            scopes?: ("kyt:ingest" | "transactions:write" | "kyt:read" | "customers:read" | "customers:write" | "events:read" | "requests:read" | "sessions:read" | "webhooks:manage" | "sessions:create")[];
            rateLimit?: components["schemas"]["RateLimitBody"];
            ipAllowList?: string[];
            corsOrigins?: string[];
            redirectUrls?: string[];
            withoutInputs?: ("DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT")[];
            /** @enum {string} */
            apiVersion?: "2026-11-01";
            name?: string;
            publicName?: string;
        };
        GrantScopesBody: {
            scopes: ("kyt:ingest" | "transactions:write" | "kyt:read" | "customers:read" | "customers:write" | "events:read" | "requests:read" | "sessions:read" | "webhooks:manage" | "sessions:create")[];
            ipAllowList?: string[];
            reason: string;
        };
        AskToEnableBody: {
            reason: string;
        };
        SecretApprovalView: {
            id: string;
            /** @enum {string} */
            act: "dead_letter.discard" | "ruleset.look_back" | "list.look_back" | "client_app.grant" | "client_app.inputs" | "ruleset.publish" | "rule.snooze" | "custom_fields.change" | "fx.import" | "operator.empower" | "operator.invite" | "customer.lower_risk" | "fact.confirm" | "customer.lift_legal_hold" | "customer.erase" | "case.close" | "list.change" | "list.import" | "hit.decide" | "hit.reopen" | "freeze.lift" | "communication.file" | "communication.dismiss" | "flow.publish" | "provider.publish" | "trail.repair" | "log.restart";
            effect: string;
            subjectType: string;
            subjectId: string;
            link: string | null;
            summary?: components["schemas"]["ApprovalSummaryView"] | null;
            before: {
                [key: string]: unknown;
            };
            after: {
                [key: string]: unknown;
            };
            digest: string;
            reason: string;
            /** @enum {string} */
            status: "REQUESTED" | "APPROVED" | "APPLIED" | "REFUSED" | "WITHDRAWN" | "EXPIRED" | "FAILED";
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            expiresAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            decisionReason: string | null;
            /** Format: date-time */
            effectiveAt: string | null;
            /** Format: date-time */
            appliedAt: string | null;
            singleControl: boolean;
            undo: string;
            secretId: string;
            clientSecret: string;
        };
        AskForSecretBody: {
            /** @default 86400 */
            overlapSeconds?: number;
            reason: string;
        };
        NewSecretView: {
            id: string;
            clientId: string;
            /** @enum {string} */
            environment: "sandbox" | "staging" | "production";
            name: string;
            publicName: string;
            branding: components["schemas"]["BrandingView"];
            /** @enum {string} */
            status: "ENABLED" | "DISABLED" | "REVOKED";
            scopes: ("kyt:ingest" | "transactions:write" | "kyt:read" | "customers:read" | "customers:write" | "events:read" | "requests:read" | "sessions:read" | "webhooks:manage" | "sessions:create")[];
            rateLimit: components["schemas"]["RateLimitView"];
            ipAllowList: string[];
            corsOrigins: string[];
            redirectUrls: string[];
            withoutInputs: ("DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT")[];
            hasLogo: boolean;
            apiVersion: string;
            secrets: components["schemas"]["ClientSecretView"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            secretId: string;
            clientSecret: string;
        };
        RotateClientSecretBody: {
            /** @default 86400 */
            overlapSeconds?: number;
        };
        InputProfileBody: {
            withoutInputs: ("DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT")[];
            reason: string;
        };
        QuotaView: {
            /** @enum {string} */
            name: "requestsPerSecond" | "endpoints" | "endpointsPerApp" | "deliveriesInFlight" | "uploadsInFlight" | "exportsAtOnce" | "exportsWaiting" | "backtestsAtOnce" | "backtestsWaiting" | "backfillsAtOnce" | "lookBacksAtOnce" | "costlyCallsAtOnce" | "sessionsOpen" | "listEntries" | "storedBytes";
            description: string;
            limit: number;
            used: number | null;
        };
        QuotasView: {
            quotas: components["schemas"]["QuotaView"][];
        };
        GrantView: {
            accessToken: string;
            /** @enum {string} */
            tokenType: "Bearer";
            expiresIn: number;
            refreshToken: string | null;
            deviceToken: string | null;
            csrfToken: string | null;
            operatorId: string;
            sessionId: string;
        };
        AssertionFields: {
            clientDataJSON: string;
            authenticatorData: string;
            signature: string;
            userHandle?: string;
        };
        AssertionBody: {
            id: string;
            rawId: string;
            /** @enum {string} */
            type: "public-key";
            /** @enum {string} */
            authenticatorAttachment?: "platform" | "cross-platform";
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            response: components["schemas"]["AssertionFields"];
        };
        LoginBody: {
            totp?: string;
            recoveryCode?: string;
            passkey?: components["schemas"]["AssertionBody"];
            /** Format: email */
            email: string;
            /** Format: password */
            password: string;
            organisation?: string;
            /** @default false */
            cookie?: boolean;
            deviceToken?: string;
        };
        RefreshBody: {
            refreshToken?: string;
        };
        SecretExchangeBody: {
            operatorId: string;
            /** Format: password */
            secret: string;
        };
        OperatorView: {
            id: string;
            /** @enum {string} */
            kind: "PERSON" | "MACHINE";
            /** Format: email */
            email: string | null;
            name: string;
            /** @enum {string} */
            status: "ENABLED" | "DISABLED";
            roles: ("ADMIN" | "COMPLIANCE_OFFICER" | "ANALYST" | "AUDITOR" | "DEVELOPER")[];
            permissions: ("apps:read" | "apps:manage" | "apps:secrets" | "operators:read" | "operators:manage" | "webhooks:read" | "webhooks:manage" | "webhooks:secrets" | "kyt:read" | "kyt:replay" | "kyt:evaluate" | "rules:read" | "rules:write" | "rules:publish" | "screening:read" | "lists:manage" | "hits:decide" | "reviews:read" | "reviews:work" | "reviews:decide" | "reviews:approve" | "customers:read" | "customers:export" | "customers:reveal" | "customers:erase" | "sessions:read" | "sessions:create" | "flows:manage" | "artifacts:read" | "audit:read" | "audit:export" | "audit:repair" | "settings:manage")[];
            totpEnrolled: boolean;
            /** @enum {string} */
            loginMethod: "PASSWORD" | "OIDC" | "SECRET";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastLoginAt: string | null;
        };
        SetupBody: {
            token: string;
            /** Format: email */
            email: string;
            name: string;
            /** Format: password */
            password: string;
        };
        AcceptInvitationBody: {
            token: string;
            /** Format: password */
            password: string;
            name?: string;
        };
        InvitationView: {
            id: string;
            /** Format: email */
            email: string | null;
            name: string | null;
            roles: ("ADMIN" | "COMPLIANCE_OFFICER" | "ANALYST" | "AUDITOR" | "DEVELOPER")[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        InviteBody: {
            reason: string;
            roles: ("ADMIN" | "COMPLIANCE_OFFICER" | "ANALYST" | "AUDITOR" | "DEVELOPER")[];
            /** Format: email */
            email: string;
            name: string;
            identityProvider?: boolean;
        };
        OrganisationView: {
            id: string;
            key: string;
            name: string;
        };
        MeView: {
            id: string;
            /** @enum {string} */
            kind: "PERSON" | "MACHINE";
            /** Format: email */
            email: string | null;
            name: string;
            organisation: components["schemas"]["OrganisationView"];
            roles: ("ADMIN" | "COMPLIANCE_OFFICER" | "ANALYST" | "AUDITOR" | "DEVELOPER")[];
            permissions: ("apps:read" | "apps:manage" | "apps:secrets" | "operators:read" | "operators:manage" | "webhooks:read" | "webhooks:manage" | "webhooks:secrets" | "kyt:read" | "kyt:replay" | "kyt:evaluate" | "rules:read" | "rules:write" | "rules:publish" | "screening:read" | "lists:manage" | "hits:decide" | "reviews:read" | "reviews:work" | "reviews:decide" | "reviews:approve" | "customers:read" | "customers:export" | "customers:reveal" | "customers:erase" | "sessions:read" | "sessions:create" | "flows:manage" | "artifacts:read" | "audit:read" | "audit:export" | "audit:repair" | "settings:manage")[];
            lockedPermissions: ("apps:secrets" | "operators:manage" | "webhooks:secrets" | "kyt:evaluate" | "rules:publish" | "lists:manage" | "hits:decide" | "reviews:decide" | "reviews:approve" | "customers:export" | "customers:reveal" | "customers:erase" | "flows:manage" | "artifacts:read" | "audit:export" | "audit:repair" | "settings:manage")[];
            strong: boolean;
            totpEnrolled: boolean;
            passkeys: number;
            sessionId: string;
            singleControl: ("dead_letter.discard" | "ruleset.look_back" | "list.look_back" | "client_app.grant" | "client_app.inputs" | "ruleset.publish" | "rule.snooze" | "custom_fields.change" | "fx.import" | "operator.empower" | "operator.invite" | "customer.lower_risk" | "fact.confirm" | "customer.lift_legal_hold" | "customer.erase" | "case.close" | "list.change" | "list.import" | "hit.decide" | "hit.reopen" | "freeze.lift" | "communication.file" | "communication.dismiss" | "flow.publish" | "provider.publish" | "trail.repair" | "log.restart")[];
        };
        ChangePasswordBody: {
            totp?: string;
            recoveryCode?: string;
            passkey?: components["schemas"]["AssertionBody"];
            /** Format: password */
            password?: string;
            /** Format: password */
            newPassword: string;
        };
        TotpSeedView: {
            secret: string;
            uri: string;
        };
        ReauthenticationBody: {
            totp?: string;
            recoveryCode?: string;
            passkey?: components["schemas"]["AssertionBody"];
            /** Format: password */
            password?: string;
        };
        RecoveryCodesView: {
            recoveryCodes: string[];
        };
        TotpCodeBody: {
            code: string;
        };
        SecondFactorFields: {
            totp?: string;
            recoveryCode?: string;
            passkey?: components["schemas"]["AssertionBody"];
        };
        OperatorSessionView: {
            id: string;
            current: boolean;
            /** @enum {string} */
            method: "PASSWORD" | "OIDC" | "SECRET" | "LOCAL";
            strong: boolean;
            ip: string | null;
            userAgent: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string;
            /** Format: date-time */
            expiresAt: string;
        };
        PasskeyView: {
            id: string;
            name: string;
            transports: string[];
            backedUp: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
        };
        CreateOptionsView: {
            publicKey: {
                [key: string]: unknown;
            };
        };
        CreatedPasskeyView: {
            id: string;
            name: string;
            transports: string[];
            backedUp: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt: string | null;
            recoveryCodes: string[] | null;
        };
        AttestationFields: {
            clientDataJSON: string;
            attestationObject: string;
            transports?: string[];
            authenticatorData?: string;
            publicKey?: string;
            publicKeyAlgorithm?: number;
        };
        CreatedCredentialBody: {
            id: string;
            rawId: string;
            /** @enum {string} */
            type: "public-key";
            /** @enum {string} */
            authenticatorAttachment?: "platform" | "cross-platform";
            clientExtensionResults?: {
                [key: string]: unknown;
            };
            response: components["schemas"]["AttestationFields"];
        };
        AddPasskeyBody: {
            name: string;
            credential: components["schemas"]["CreatedCredentialBody"];
        };
        RequestOptionsView: {
            publicKey: {
                [key: string]: unknown;
            };
        };
        NewOperatorView: {
            id: string;
            /** @enum {string} */
            kind: "PERSON" | "MACHINE";
            /** Format: email */
            email: string | null;
            name: string;
            /** @enum {string} */
            status: "ENABLED" | "DISABLED";
            roles: ("ADMIN" | "COMPLIANCE_OFFICER" | "ANALYST" | "AUDITOR" | "DEVELOPER")[];
            permissions: ("apps:read" | "apps:manage" | "apps:secrets" | "operators:read" | "operators:manage" | "webhooks:read" | "webhooks:manage" | "webhooks:secrets" | "kyt:read" | "kyt:replay" | "kyt:evaluate" | "rules:read" | "rules:write" | "rules:publish" | "screening:read" | "lists:manage" | "hits:decide" | "reviews:read" | "reviews:work" | "reviews:decide" | "reviews:approve" | "customers:read" | "customers:export" | "customers:reveal" | "customers:erase" | "sessions:read" | "sessions:create" | "flows:manage" | "artifacts:read" | "audit:read" | "audit:export" | "audit:repair" | "settings:manage")[];
            totpEnrolled: boolean;
            /** @enum {string} */
            loginMethod: "PASSWORD" | "OIDC" | "SECRET";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastLoginAt: string | null;
            secret: string | null;
        };
        NewMachineBody: {
            name: string;
            permissions: ("apps:read" | "apps:manage" | "apps:secrets" | "operators:read" | "operators:manage" | "webhooks:read" | "webhooks:manage" | "webhooks:secrets" | "kyt:read" | "kyt:replay" | "kyt:evaluate" | "rules:read" | "rules:write" | "rules:publish" | "screening:read" | "lists:manage" | "hits:decide" | "reviews:read" | "reviews:work" | "reviews:decide" | "reviews:approve" | "customers:read" | "customers:export" | "customers:reveal" | "customers:erase" | "sessions:read" | "sessions:create" | "flows:manage" | "artifacts:read" | "audit:read" | "audit:export" | "audit:repair" | "settings:manage")[];
        };
        ChangedOperatorView: {
            id: string;
            /** @enum {string} */
            kind: "PERSON" | "MACHINE";
            /** Format: email */
            email: string | null;
            name: string;
            /** @enum {string} */
            status: "ENABLED" | "DISABLED";
            roles: ("ADMIN" | "COMPLIANCE_OFFICER" | "ANALYST" | "AUDITOR" | "DEVELOPER")[];
            permissions: ("apps:read" | "apps:manage" | "apps:secrets" | "operators:read" | "operators:manage" | "webhooks:read" | "webhooks:manage" | "webhooks:secrets" | "kyt:read" | "kyt:replay" | "kyt:evaluate" | "rules:read" | "rules:write" | "rules:publish" | "screening:read" | "lists:manage" | "hits:decide" | "reviews:read" | "reviews:work" | "reviews:decide" | "reviews:approve" | "customers:read" | "customers:export" | "customers:reveal" | "customers:erase" | "sessions:read" | "sessions:create" | "flows:manage" | "artifacts:read" | "audit:read" | "audit:export" | "audit:repair" | "settings:manage")[];
            totpEnrolled: boolean;
            /** @enum {string} */
            loginMethod: "PASSWORD" | "OIDC" | "SECRET";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastLoginAt: string | null;
            casesReturned: number;
        };
        UpdateOperatorBody: {
            name?: string;
            roles?: ("ADMIN" | "COMPLIANCE_OFFICER" | "ANALYST" | "AUDITOR" | "DEVELOPER")[];
            permissions?: ("apps:read" | "apps:manage" | "apps:secrets" | "operators:read" | "operators:manage" | "webhooks:read" | "webhooks:manage" | "webhooks:secrets" | "kyt:read" | "kyt:replay" | "kyt:evaluate" | "rules:read" | "rules:write" | "rules:publish" | "screening:read" | "lists:manage" | "hits:decide" | "reviews:read" | "reviews:work" | "reviews:decide" | "reviews:approve" | "customers:read" | "customers:export" | "customers:reveal" | "customers:erase" | "sessions:read" | "sessions:create" | "flows:manage" | "artifacts:read" | "audit:read" | "audit:export" | "audit:repair" | "settings:manage")[];
        };
        RolesBody: {
            reason: string;
            roles: ("ADMIN" | "COMPLIANCE_OFFICER" | "ANALYST" | "AUDITOR" | "DEVELOPER")[];
        };
        OperatorReasonBody: {
            reason: string;
        };
        SecretView: {
            secret: string;
        };
        PasskeyOptionsBody: {
            /**
             * @default required
             * @enum {string}
             */
            userVerification?: "required" | "preferred";
        };
        PasskeyLoginBody: {
            credential: components["schemas"]["AssertionBody"];
            /** @default false */
            cookie?: boolean;
        };
        RuleTallyView: {
            key: string;
            hits: number;
            newHits: number;
            lostHits: number;
            shadowHits: number;
            indeterminate: number;
            hitsAlone: number;
            hitRate: number;
            neverDecided: boolean;
        };
        FlipView: {
            /** @enum {string} */
            from: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED";
            /** @enum {string} */
            to: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED";
            count: number;
            examples: string[];
        };
        OutcomesView: {
            unchanged: number;
            flips: components["schemas"]["FlipView"][];
        };
        HistogramBarView: {
            from: number;
            to: number;
            live: number;
            tested: number;
        };
        AlertDayView: {
            day: string;
            transactions: number;
            live: number;
            tested: number;
        };
        OverlapView: {
            rules: string[];
            both: number;
            likeness: number;
        };
        BacktestReportView: {
            snapshots: number;
            rules: components["schemas"]["RuleTallyView"][];
            outcomes: components["schemas"]["OutcomesView"];
            scoreHistogram: components["schemas"]["HistogramBarView"][];
            alertsPerDay: components["schemas"]["AlertDayView"][];
            overlap: components["schemas"]["OverlapView"][];
        };
        BacktestView: {
            id: string;
            ruleset: string;
            version: number;
            contentHash: string;
            /** @enum {string} */
            status: "QUEUED" | "RUNNING" | "FINISHED" | "FAILED" | "CANCELLED";
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            total: number | null;
            done: number;
            failureCode: string | null;
            requestedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
            report: components["schemas"]["BacktestReportView"] | null;
        };
        BacktestBody: {
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
        };
        LocalisedBody: {
            "pt-BR": string;
            en: string;
        };
        CustomFieldView: {
            number: number;
            name: string;
            path: string;
            /** @enum {string} */
            type: "string" | "number" | "decimal" | "boolean" | "instant" | "code";
            codes: string[] | null;
            types: string[];
            personal: boolean;
            required: boolean;
            /** @enum {string} */
            onMismatch: "REFUSE" | "WARN" | "IGNORE";
            /** @enum {string} */
            history: "NONE" | "VALUE" | "KEY";
            label: components["schemas"]["LocalisedBody"];
        };
        CustomFieldSchemaView: {
            id: string | null;
            version: number;
            fields: components["schemas"]["CustomFieldView"][];
            contentHash: string | null;
            author: string | null;
            /** Format: date-time */
            createdAt: string | null;
        };
        CustomFieldBody: {
            name: string;
            path?: string;
            /** @enum {string} */
            type: "string" | "number" | "decimal" | "boolean" | "instant" | "code";
            codes?: string[];
            /**
             * @default [
             *       "*"
             *     ]
             */
            types?: string[];
            /** @default false */
            personal?: boolean;
            /** @default false */
            required?: boolean;
            /**
             * @default WARN
             * @enum {string}
             */
            onMismatch?: "REFUSE" | "WARN" | "IGNORE";
            /**
             * @default NONE
             * @enum {string}
             */
            history?: "NONE" | "VALUE" | "KEY";
            label?: components["schemas"]["LocalisedBody"];
        };
        CustomFieldsBody: {
            fields: components["schemas"]["CustomFieldBody"][];
            reason: string;
        };
        CustomFieldBackfillView: {
            id: string;
            schemaVersion: number;
            fields: number[];
            /** @enum {string} */
            status: "QUEUED" | "RUNNING" | "FINISHED" | "FAILED";
            /** Format: date-time */
            beginsAt: string;
            done: number;
            total: number | null;
            filled: number;
            unreadable: number;
            failureCode: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        AggregateBody: {
            /** @enum {string} */
            function: "count" | "sum" | "min" | "max" | "mean" | "sd" | "percentile" | "distinct" | "first" | "last" | "ratio";
            of?: string;
            events?: string[];
            percentile?: number;
            by?: string;
            window?: string;
            offset?: string;
            where?: string;
            /** @default true */
            current?: boolean;
            label?: components["schemas"]["LocalisedBody"];
        };
        AppliesToBody: {
            /**
             * @default [
             *       "*"
             *     ]
             */
            types?: string[];
            /**
             * @default [
             *       "*"
             *     ]
             */
            channels?: string[];
            /**
             * @default [
             *       "*"
             *     ]
             */
            currencies?: string[];
            /**
             * @default [
             *       "IN",
             *       "OUT"
             *     ]
             */
            directions?: ("IN" | "OUT")[];
        };
        ScoreTierBody: {
            when: string;
            points: number;
        };
        RuleScoreBody: {
            points: number;
            group: string;
            /** @default null */
            groupMax?: number | null;
            tiers?: components["schemas"]["ScoreTierBody"][];
        };
        RuleEffectBody: {
            /**
             * @default null
             * @enum {string|null}
             */
            minOutcome?: "REVIEW" | null;
            /**
             * @default NONE
             * @enum {string}
             */
            recommend?: "NONE" | "STEP_UP" | "HOLD" | "DECLINE";
            reasonCode: string;
        };
        EvidenceBody: {
            feature: string;
            /** @default false */
            required?: boolean;
        };
        LegalBasisBody: {
            norm: string;
            item: string;
            /** @default null */
            siscoafCode?: number | null;
        };
        StoredRuleView: {
            key: string;
            name: components["schemas"]["LocalisedBody"];
            description?: components["schemas"]["LocalisedBody"];
            appliesTo?: components["schemas"]["AppliesToBody"];
            parameters?: {
                [key: string]: unknown;
            };
            aggregates?: {
                [key: string]: components["schemas"]["AggregateBody"];
            };
            when: string;
            /**
             * @default SHADOW
             * @enum {string}
             */
            mode?: "LIVE" | "SHADOW" | "DISABLED";
            message: components["schemas"]["LocalisedBody"];
            /**
             * @default MEDIUM
             * @enum {string}
             */
            severity?: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
            /**
             * @default RULES
             * @enum {string}
             */
            component?: "IDENTITY" | "COUNTERPARTY" | "LISTS" | "VELOCITY" | "PROFILE" | "DEVICE_IP" | "DICT" | "FX" | "RULES";
            /** @default CUSTOM */
            category?: string;
            /** @default [] */
            tags?: string[];
            score: components["schemas"]["RuleScoreBody"];
            effect: components["schemas"]["RuleEffectBody"];
            /**
             * @default PARTIAL
             * @enum {string}
             */
            onIndeterminate?: "PARTIAL" | "RECORD";
            /** @default [] */
            evidence?: components["schemas"]["EvidenceBody"][];
            /** @default [] */
            actions?: {
                [key: string]: unknown;
            }[];
            /** @default [] */
            lists?: string[];
            /** @default [] */
            flags?: ("REPORT_COE" | "EVIDENCE_GAP")[];
            /** @default null */
            cooldown?: string | null;
            /** @default [] */
            legalBasis?: components["schemas"]["LegalBasisBody"][];
            version: number;
        };
        RuleView: {
            id: string;
            key: string;
            version: number;
            /** @enum {string} */
            status: "DRAFT" | "RELEASED";
            revision: number;
            contentHash: string;
            definition: components["schemas"]["StoredRuleView"];
            author: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            releasedAt: string | null;
        };
        FeatureView: {
            name: string;
            /** @enum {string} */
            type: "number" | "string" | "bool" | "time" | "numbers" | "strings";
            source: string;
            component: string;
            window: string | null;
            unit: string | null;
            nullable: boolean;
            personal: boolean;
            capped: boolean;
            includesCurrent: boolean;
            description: string;
            label: components["schemas"]["LocalisedBody"];
        };
        RowColumnView: {
            name: string;
            /** @enum {string} */
            type: "number" | "string" | "bool" | "time";
            label: components["schemas"]["LocalisedBody"];
        };
        AggregateVocabularyView: {
            functions: ("count" | "sum" | "min" | "max" | "mean" | "sd" | "percentile" | "distinct" | "first" | "last" | "ratio")[];
            keys: ("customer" | "document" | "account" | "counterparty" | "device" | "ip" | "pair" | "card")[];
            of: {
                [key: string]: unknown;
            };
            events: ("LOGIN" | "LOGIN_FAILED" | "DEVICE_ENROLLED" | "PASSWORD_CHANGED" | "SECOND_FACTOR_CHANGED" | "CONTACT_CHANGED" | "LIMIT_RAISED" | "PIX_KEY_REGISTERED" | "PIX_KEY_REMOVED" | "BENEFICIARY_ADDED")[];
            columns: components["schemas"]["RowColumnView"][];
        };
        FeaturesView: {
            schemaVersion: number;
            features: components["schemas"]["FeatureView"][];
            aggregates: components["schemas"]["AggregateVocabularyView"];
        };
        TextPositionView: {
            start: number;
            end: number;
            line: number;
            column: number;
        };
        ErrorDetailView: {
            path: string;
            code: string;
            message: string;
            position?: components["schemas"]["TextPositionView"];
            expected?: string;
            found?: string;
            suggestion?: string;
        };
        CheckedAggregateView: {
            name: string;
            /** @enum {string} */
            type: "number" | "string" | "bool" | "time";
            unit: string | null;
            words: components["schemas"]["LocalisedBody"];
            cost: number;
        };
        CheckedRuleView: {
            ok: boolean;
            details: components["schemas"]["ErrorDetailView"][];
            remarks: components["schemas"]["ErrorDetailView"][];
            features?: string[];
            cost?: number;
            lists?: string[];
            when?: string;
            condition?: {
                [key: string]: unknown;
            };
            words?: components["schemas"]["LocalisedBody"];
            aggregates?: components["schemas"]["CheckedAggregateView"][];
        };
        RuleBody: {
            key: string;
            name: components["schemas"]["LocalisedBody"];
            description?: components["schemas"]["LocalisedBody"];
            appliesTo?: components["schemas"]["AppliesToBody"];
            parameters?: {
                [key: string]: unknown;
            };
            aggregates?: {
                [key: string]: components["schemas"]["AggregateBody"];
            };
            when: string;
            /**
             * @default SHADOW
             * @enum {string}
             */
            mode?: "LIVE" | "SHADOW" | "DISABLED";
            message: components["schemas"]["LocalisedBody"];
            /**
             * @default MEDIUM
             * @enum {string}
             */
            severity?: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
            /**
             * @default RULES
             * @enum {string}
             */
            component?: "IDENTITY" | "COUNTERPARTY" | "LISTS" | "VELOCITY" | "PROFILE" | "DEVICE_IP" | "DICT" | "FX" | "RULES";
            /** @default CUSTOM */
            category?: string;
            /** @default [] */
            tags?: string[];
            score: components["schemas"]["RuleScoreBody"];
            effect: components["schemas"]["RuleEffectBody"];
            /**
             * @default PARTIAL
             * @enum {string}
             */
            onIndeterminate?: "PARTIAL" | "RECORD";
            /** @default [] */
            evidence?: components["schemas"]["EvidenceBody"][];
            /** @default [] */
            actions?: {
                [key: string]: unknown;
            }[];
            /** @default [] */
            lists?: string[];
            /** @default [] */
            flags?: ("REPORT_COE" | "EVIDENCE_GAP")[];
            /** @default null */
            cooldown?: string | null;
            /** @default [] */
            legalBasis?: components["schemas"]["LegalBasisBody"][];
        };
        CheckRuleBody: {
            when?: string;
            condition?: {
                [key: string]: unknown;
            };
            rule?: components["schemas"]["RuleBody"];
        };
        RuleDraftBody: {
            key: string;
            name: components["schemas"]["LocalisedBody"];
            description?: components["schemas"]["LocalisedBody"];
            appliesTo?: components["schemas"]["AppliesToBody"];
            parameters?: {
                [key: string]: unknown;
            };
            aggregates?: {
                [key: string]: components["schemas"]["AggregateBody"];
            };
            when: string;
            /**
             * @default SHADOW
             * @enum {string}
             */
            mode?: "LIVE" | "SHADOW" | "DISABLED";
            message: components["schemas"]["LocalisedBody"];
            /**
             * @default MEDIUM
             * @enum {string}
             */
            severity?: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL";
            /**
             * @default RULES
             * @enum {string}
             */
            component?: "IDENTITY" | "COUNTERPARTY" | "LISTS" | "VELOCITY" | "PROFILE" | "DEVICE_IP" | "DICT" | "FX" | "RULES";
            /** @default CUSTOM */
            category?: string;
            /** @default [] */
            tags?: string[];
            score: components["schemas"]["RuleScoreBody"];
            effect: components["schemas"]["RuleEffectBody"];
            /**
             * @default PARTIAL
             * @enum {string}
             */
            onIndeterminate?: "PARTIAL" | "RECORD";
            /** @default [] */
            evidence?: components["schemas"]["EvidenceBody"][];
            /** @default [] */
            actions?: {
                [key: string]: unknown;
            }[];
            /** @default [] */
            lists?: string[];
            /** @default [] */
            flags?: ("REPORT_COE" | "EVIDENCE_GAP")[];
            /** @default null */
            cooldown?: string | null;
            /** @default [] */
            legalBasis?: components["schemas"]["LegalBasisBody"][];
            revision?: number;
        };
        SelectorBody: {
            /**
             * @default [
             *       "*"
             *     ]
             */
            types?: string[];
            /**
             * @default [
             *       "*"
             *     ]
             */
            clientApps?: string[];
        };
        ExperimentBody: {
            challengerOf: string;
            /** @enum {string} */
            mode: "SHADOW" | "SPLIT";
            /** @default 100 */
            percent?: number;
            /**
             * @default CUSTOMER
             * @enum {string}
             */
            stickyBy?: "CUSTOMER";
        };
        HeldRuleView: {
            key: string;
            version: number;
            /** @enum {string} */
            mode: "LIVE" | "SHADOW" | "DISABLED";
        };
        DampenerBody: {
            key: string;
            name: components["schemas"]["LocalisedBody"];
            description?: components["schemas"]["LocalisedBody"];
            appliesTo?: components["schemas"]["AppliesToBody"];
            parameters?: {
                [key: string]: unknown;
            };
            aggregates?: {
                [key: string]: components["schemas"]["AggregateBody"];
            };
            when: string;
            /**
             * @default SHADOW
             * @enum {string}
             */
            mode?: "LIVE" | "SHADOW" | "DISABLED";
            message: components["schemas"]["LocalisedBody"];
            /** @default 1 */
            version?: number;
            points: number;
            /** @default [] */
            suppresses?: string[];
        };
        BandsBody: {
            MEDIUM: number;
            HIGH: number;
            CRITICAL: number;
        };
        ScoringBody: {
            reviewAt: number;
            caps: {
                [key: string]: number;
            };
            bands: components["schemas"]["BandsBody"];
        };
        FromAmountBody: {
            amount: number;
            components: ("IDENTITY" | "COUNTERPARTY" | "LISTS" | "VELOCITY" | "PROFILE" | "DEVICE_IP" | "DICT" | "FX" | "RULES")[];
        };
        ExemptionBody: {
            channels: string[];
            components: ("IDENTITY" | "COUNTERPARTY" | "LISTS" | "VELOCITY" | "PROFILE" | "DEVICE_IP" | "DICT" | "FX" | "RULES")[];
        };
        RequiredComponentsBody: {
            types: string[];
            components: ("IDENTITY" | "COUNTERPARTY" | "LISTS" | "VELOCITY" | "PROFILE" | "DEVICE_IP" | "DICT" | "FX" | "RULES")[];
            fromAmountBrl?: components["schemas"]["FromAmountBody"];
            inForeignCurrency?: ("IDENTITY" | "COUNTERPARTY" | "LISTS" | "VELOCITY" | "PROFILE" | "DEVICE_IP" | "DICT" | "FX" | "RULES")[];
            directions?: ("IN" | "OUT")[];
            exemptions?: components["schemas"]["ExemptionBody"][];
        };
        CompositionBody: {
            requiredComponents: components["schemas"]["RequiredComponentsBody"][];
        };
        PublicationView: {
            requestedBy: string | null;
            /** Format: date-time */
            requestedAt: string | null;
            approvedBy: string | null;
            /** Format: date-time */
            approvedAt: string | null;
            backtestId: string | null;
            /** Format: date-time */
            publishedAt: string | null;
            /** Format: date-time */
            archivedAt: string | null;
        };
        RulesetView: {
            id: string;
            key: string;
            version: number;
            /** @enum {string} */
            status: "DRAFT" | "PUBLISHED" | "ARCHIVED";
            /** @enum {string} */
            origin: "SEED" | "DRAFT" | "ROLLBACK";
            revision: number;
            contentHash: string;
            name: components["schemas"]["LocalisedBody"];
            selector: components["schemas"]["SelectorBody"];
            experiment: components["schemas"]["ExperimentBody"] | null;
            rules: components["schemas"]["HeldRuleView"][];
            dampeners: components["schemas"]["DampenerBody"][];
            scoring: components["schemas"]["ScoringBody"];
            composition: components["schemas"]["CompositionBody"];
            rollbackOf: number | null;
            author: string;
            publication: components["schemas"]["PublicationView"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            obstacles?: components["schemas"]["ErrorDetailView"][];
        };
        BasedOnBody: {
            key: string;
            version: number;
        };
        HeldRuleBody: {
            key: string;
            version: number;
            /** @enum {string} */
            mode?: "LIVE" | "SHADOW" | "DISABLED";
        };
        NewRulesetBody: {
            basedOn?: components["schemas"]["BasedOnBody"];
            name?: components["schemas"]["LocalisedBody"];
            selector?: components["schemas"]["SelectorBody"];
            experiment?: components["schemas"]["ExperimentBody"] | null;
            rules?: components["schemas"]["HeldRuleBody"][];
            putRules?: components["schemas"]["HeldRuleBody"][];
            removeRules?: string[];
            dampeners?: components["schemas"]["DampenerBody"][];
            scoring?: components["schemas"]["ScoringBody"];
            composition?: components["schemas"]["CompositionBody"];
            key: string;
        };
        ChangeRulesetBody: {
            basedOn?: components["schemas"]["BasedOnBody"];
            name?: components["schemas"]["LocalisedBody"];
            selector?: components["schemas"]["SelectorBody"];
            experiment?: components["schemas"]["ExperimentBody"] | null;
            rules?: components["schemas"]["HeldRuleBody"][];
            putRules?: components["schemas"]["HeldRuleBody"][];
            removeRules?: string[];
            dampeners?: components["schemas"]["DampenerBody"][];
            scoring?: components["schemas"]["ScoringBody"];
            composition?: components["schemas"]["CompositionBody"];
            revision?: number;
        };
        RuleModeBody: {
            /** @enum {string} */
            mode: "LIVE" | "SHADOW" | "DISABLED";
        };
        PublicationBody: {
            reason: string;
        };
        RulesetReasonBody: {
            reason: string;
        };
        RollbackBody: {
            toVersion: number;
            reason: string;
        };
        SnoozeView: {
            id: string;
            ruleset: string;
            rule: string;
            reason: string;
            /** Format: date-time */
            beginsAt: string;
            /** Format: date-time */
            endsAt: string;
            createdBy: string;
            /** Format: date-time */
            liftedAt: string | null;
            liftedBy: string | null;
        };
        SnoozeBody: {
            /** Format: date-time */
            until: string;
            reason: string;
        };
        RateView: {
            currency: string;
            /** Format: date */
            date: string;
            rate: string;
            source: string;
            /** Format: date-time */
            importedAt: string;
        };
        NewestRatesView: {
            rates: components["schemas"]["RateView"][];
        };
        RateBody: {
            currency: string;
            /** Format: date */
            date: string;
            rate: string;
        };
        ImportRatesBody: {
            source: string;
            rates: components["schemas"]["RateBody"][];
            reason: string;
        };
        DeliveryView: {
            id: string;
            eventId: string;
            /** @enum {string} */
            eventType: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
            sequence: number;
            endpointId: string;
            /** @enum {string} */
            status: "PENDING" | "SENDING" | "DELIVERED" | "EXHAUSTED" | "CANCELLED";
            attempts: number;
            lastStatusCode: number | null;
            lastError: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        AttemptView: {
            number: number;
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            statusCode: number | null;
            errorCode: string | null;
            responseExcerpt: string | null;
        };
        EndpointView: {
            id: string;
            clientAppId: string;
            url: string;
            description: string | null;
            eventTypes: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /** @enum {string} */
            ordering: "none" | "per_resource";
            /** @enum {string} */
            status: "ACTIVE" | "PAUSED" | "DISABLED";
            statusReason: string | null;
            /** Format: date-time */
            failingSince: string | null;
            /** Format: date-time */
            heldUntil: string | null;
            /** Format: date-time */
            previousSecretExpiresAt: string | null;
            olderSecretsExpireAt: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        EndpointSecretView: {
            endpoint: components["schemas"]["EndpointView"];
            secret: string;
        };
        ChangeEndpointBody: {
            url?: string;
            eventTypes?: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /**
             * @default none
             * @enum {string}
             */
            ordering?: "none" | "per_resource";
            description?: string | null;
        };
        PauseEndpointBody: {
            reason?: string;
        };
        DisableEndpointBody: {
            reason: string;
        };
        RotateEndpointSecretBody: {
            /** @default 86400 */
            overlapSeconds?: number;
        };
        TestEventView: {
            eventId: string;
            deliveryId: string;
        };
        TestEventBody: {
            /**
             * @default session.completed
             * @enum {string}
             */
            type?: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
        };
        EndpointDurationsView: {
            attempts: number;
            p50Ms: number | null;
            p95Ms: number | null;
            p99Ms: number | null;
        };
        EndpointHourView: {
            /** Format: date-time */
            hour: string;
            attempts: number;
            delivered: number;
            failedAttempts: number;
            exhausted: number;
            cancelled: number;
            averageMs: number | null;
            slowestMs: number;
            successRate: number | null;
        };
        EndpointStatisticsView: {
            waiting: number;
            /** Format: date-time */
            waitingSince: string | null;
            successRate: number | null;
            durations: components["schemas"]["EndpointDurationsView"];
            hours: components["schemas"]["EndpointHourView"][];
        };
        RecoveryView: {
            id: string;
            endpointId: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
            beforeEndpoint: boolean;
            types: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            dryRun: boolean;
            /** @enum {string} */
            status: "QUEUED" | "RUNNING" | "COMPLETED" | "CANCELLED";
            progress: number;
            events: number;
            recovered: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        RecoverBody: {
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until?: string;
            types?: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /** @default false */
            dryRun?: boolean;
        };
        OperatorCreateEndpointBody: {
            url: string;
            eventTypes?: ("kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified")[];
            /**
             * @default none
             * @enum {string}
             */
            ordering?: "none" | "per_resource";
            description?: string | null;
            clientAppId: string;
        };
        OperatorDeliveryDetailView: {
            id: string;
            eventId: string;
            /** @enum {string} */
            eventType: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
            sequence: number;
            endpointId: string;
            /** @enum {string} */
            status: "PENDING" | "SENDING" | "DELIVERED" | "EXHAUSTED" | "CANCELLED";
            attempts: number;
            lastStatusCode: number | null;
            lastError: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
            log: components["schemas"]["AttemptView"][];
            payload: {
                [key: string]: unknown;
            } | null;
        };
        EventView: {
            id: string;
            /** @enum {string} */
            type: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
            clientAppId: string;
            /** @enum {string} */
            resourceType: "transaction" | "session" | "customer" | "test";
            sequence: number;
            /** Format: date-time */
            createdAt: string;
        };
        EventDetailView: {
            id: string;
            /** @enum {string} */
            type: "kyt.transaction.queued" | "kyt.transaction.pipeline.completed" | "kyt.transaction.dead_lettered" | "session.created" | "session.completed" | "session.reopened" | "customer.identified";
            clientAppId: string;
            /** @enum {string} */
            resourceType: "transaction" | "session" | "customer" | "test";
            sequence: number;
            /** Format: date-time */
            createdAt: string;
            payload: {
                [key: string]: unknown;
            } | null;
        };
        ProfileRowBody: {
            externalCustomerId?: string;
            document?: string;
            name?: string;
            /** Format: date */
            birthDate?: string;
            monthlyIncome?: number;
            monthlyRevenue?: number;
            occupation?: string;
            pep?: boolean;
            /** @enum {string} */
            riskLevel?: "LOW" | "MEDIUM" | "HIGH";
            /** Format: date */
            relationshipSince?: string;
            segment?: string;
            /** Format: date */
            asOf?: string;
        };
        RowProblemView: {
            line: number;
            path: string;
            code: string;
            message: string;
        };
        ProfilesOutcomeView: {
            rows: number;
            created: number;
            changed: number;
            unchanged: number;
            problems: components["schemas"]["RowProblemView"][];
        };
        CustomerSummaryView: {
            id: string;
            name: string | null;
            documentMasked: string | null;
            externalCustomerId: string | null;
            /** @enum {string|null} */
            personType: "NATURAL" | "LEGAL" | null;
            /** @enum {string} */
            assurance: "DECLARED" | "DOCUMENT" | "VERIFIED";
            /** @enum {string} */
            identifiedBy: "KYT" | "SESSION" | "OPERATOR";
            /** Format: date-time */
            identifiedAt: string;
            /** @enum {string|null} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | null;
            legalHold: boolean;
            restricted: boolean;
            erased: boolean;
        };
        StatementView: {
            field: string;
            /** @enum {string} */
            by: "SESSION" | "OPERATOR" | "CLIENT" | "UPLOAD";
            ref: string | null;
            /** Format: date-time */
            at: string;
            singleControl: boolean;
            unconfirmed: boolean;
        };
        DeclaredProfileView: {
            monthlyIncome: number | null;
            monthlyRevenue: number | null;
            nightLimit: number | null;
            nightStartHour: number | null;
            pep: boolean | null;
            occupation: string | null;
            segment: string | null;
            /** Format: date */
            relationshipSince: string | null;
            pepOffice: string | null;
            pepRelation: string | null;
            email: string | null;
            phone: string | null;
            /** Format: date-time */
            asOf: string;
            statements: components["schemas"]["StatementView"][];
        };
        CustomerDetailView: {
            id: string;
            name: string | null;
            documentMasked: string | null;
            externalCustomerId: string | null;
            /** @enum {string|null} */
            personType: "NATURAL" | "LEGAL" | null;
            /** @enum {string} */
            assurance: "DECLARED" | "DOCUMENT" | "VERIFIED";
            /** @enum {string} */
            identifiedBy: "KYT" | "SESSION" | "OPERATOR";
            /** Format: date-time */
            identifiedAt: string;
            /** @enum {string|null} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | null;
            legalHold: boolean;
            restricted: boolean;
            erased: boolean;
            /** Format: date */
            birthDate: string | null;
            nationalities: string[];
            profile: components["schemas"]["DeclaredProfileView"] | null;
            unconfirmed: string[];
            /** Format: date */
            relationshipEndedOn: string | null;
            /** Format: date */
            retainUntil: string | null;
            /** Format: date-time */
            legalHoldAt: string | null;
            /** Format: date-time */
            erasedAt: string | null;
            mergedIds: string[];
            externalCustomerIds: string[];
        };
        RevealedCustomerView: {
            id: string;
            name: string | null;
            document: string | null;
            /** Format: date */
            birthDate: string | null;
            email: string | null;
            phone: string | null;
        };
        WhyBody: {
            reason: string;
        };
        ProfileBody: {
            /** @enum {string} */
            personType?: "NATURAL" | "LEGAL";
            /** Format: decimal */
            monthlyIncome?: number | null;
            /** Format: decimal */
            monthlyRevenue?: number | null;
            /** Format: decimal */
            nightLimit?: number | null;
            /** @enum {integer|null} */
            nightStartHour?: 20 | 22 | null;
            pep?: boolean | null;
        };
        RiskLevelBody: {
            /** @enum {string} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH";
        };
        RiskLevelRequestBody: {
            /** @enum {string} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH";
            reason: string;
        };
        RelationshipBody: {
            /** Format: date */
            endedOn: string | null;
        };
        NoticeView: {
            /** @enum {string} */
            told: "MJSP" | "COAF" | "BCB" | "CVM" | "SUSEP" | "COURT" | "OTHER";
            reference: string;
            /** Format: date-time */
            toldAt: string;
            toldBy: string;
        };
        FreezeView: {
            id: string;
            hitId: string;
            customerId: string | null;
            /** Format: date-time */
            frozenAt: string;
            frozenBy: string;
            notices: components["schemas"]["NoticeView"][];
            /** Format: date-time */
            liftedAt: string | null;
            liftedBy: string | null;
        };
        NoticeBody: {
            /** @enum {string} */
            told: "MJSP" | "COAF" | "BCB" | "CVM" | "SUSEP" | "COURT" | "OTHER";
            reference: string;
            /** Format: date-time */
            toldAt: string;
        };
        FreezeReasonBody: {
            reason: string;
        };
        AlignedView: {
            left: string | null;
            right: string | null;
            how: string;
            similarity: number;
            weight: number;
        };
        HitView: {
            id: string;
            /** @enum {string} */
            status: "PENDING" | "CONFIRMED" | "DISMISSED_FALSE_POSITIVE" | "ESCALATED";
            customerId: string | null;
            transactionRef: string | null;
            /** @enum {string} */
            role: "CUSTOMER" | "ORIGIN" | "DESTINATION" | "OWNER" | "REPRESENTATIVE";
            listId: string;
            list: string;
            /** @enum {string} */
            listKind: "SANCTIONS" | "PEP" | "DEBARMENT" | "BLOCKLIST" | "ALLOWLIST" | "WATCH";
            entryKey: string;
            entryHash: string;
            snapshotId: string;
            scorerVersion: string;
            score: number;
            nameScore: number;
            /** @enum {string} */
            strength: "DOCUMENT" | "STRONG" | "NAME" | "CONTRADICTED";
            mandatory: boolean;
            qualifiers: string[];
            asked: string | null;
            found: string | null;
            alignment: components["schemas"]["AlignedView"][];
            equal: string[];
            reopened: number;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            justification: string | null;
            forCustomerId: string | null;
            /** Format: date-time */
            expiresAt: string | null;
            singleControl: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        DispositionBody: {
            /** @enum {string} */
            disposition: "CONFIRMED" | "DISMISSED_FALSE_POSITIVE" | "ESCALATED";
            justification: string;
        };
        ClearedView: {
            transactionRef: string;
            /** Format: date-time */
            usedAt: string;
            /** Format: date-time */
            reopenedAt: string | null;
            /** Format: date-time */
            judgedAt: string | null;
        };
        BrokenLineView: {
            line: number;
            column: string | null;
            problem: string;
        };
        DroppedFieldView: {
            line: number;
            column: string;
            problem: string;
        };
        ImportView: {
            id: string;
            /** @enum {string} */
            status: "READING" | "AWAITING_CONFIRMATION" | "PUBLISHED" | "UNCHANGED" | "REJECTED" | "FAILED";
            reason: string | null;
            sequence: number | null;
            sha256: string | null;
            bytesTotal: number | null;
            bytesRead: number;
            lines: number;
            entries: number;
            names: number;
            added: number | null;
            changed: number | null;
            removed: number | null;
            unchanged: number | null;
            linesMerged: number;
            linesBroken: number;
            broken: components["schemas"]["BrokenLineView"][];
            fieldsDropped: number;
            dropped: components["schemas"]["DroppedFieldView"][];
            requestedBy: string;
            decidedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
        };
        ChangedEntryView: {
            key: string;
            /** @enum {string} */
            change: "ADDED" | "CHANGED" | "REMOVED";
            name: string;
        };
        RoundView: {
            /** @enum {string} */
            status: "RUNNING" | "FINISHED";
            total: number;
            done: number;
            hits: number;
        };
        ImportDetailView: {
            id: string;
            /** @enum {string} */
            status: "READING" | "AWAITING_CONFIRMATION" | "PUBLISHED" | "UNCHANGED" | "REJECTED" | "FAILED";
            reason: string | null;
            sequence: number | null;
            sha256: string | null;
            bytesTotal: number | null;
            bytesRead: number;
            lines: number;
            entries: number;
            names: number;
            added: number | null;
            changed: number | null;
            removed: number | null;
            unchanged: number | null;
            linesMerged: number;
            linesBroken: number;
            broken: components["schemas"]["BrokenLineView"][];
            fieldsDropped: number;
            dropped: components["schemas"]["DroppedFieldView"][];
            requestedBy: string;
            decidedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
            preview: components["schemas"]["ChangedEntryView"][];
            round: components["schemas"]["RoundView"] | null;
        };
        ImportReasonBody: {
            reason: string;
        };
        ListView: {
            id: string;
            key: string;
            name: string;
            /** @enum {string} */
            kind: "SANCTIONS" | "PEP" | "DEBARMENT" | "BLOCKLIST" | "ALLOWLIST" | "WATCH";
            /** @enum {string} */
            format: "CGU_PEP_CSV" | "CEIS_CNEP_CSV" | "OFAC_SDN_CSV" | "UN_XML" | "EU_CSV" | "UK_SANCTIONS_CSV" | "UK_OFSI_CSV" | "INTERPOL_JSON" | "OPENSANCTIONS_CSV" | "HOUSE_CSV" | "HOUSE_JSON";
            evidenceThreshold: number;
            mandatoryThreshold: number;
            staleAfterDays: number | null;
            sequence: number;
            snapshotId: string | null;
            /** Format: date-time */
            publishedAt: string | null;
            entries: number;
            indexed: boolean;
            /** Format: date-time */
            archivedAt: string | null;
        };
        ListBody: {
            key: string;
            name: string;
            /** @enum {string} */
            kind: "SANCTIONS" | "PEP" | "DEBARMENT" | "BLOCKLIST" | "ALLOWLIST" | "WATCH";
            /** @enum {string} */
            format: "CGU_PEP_CSV" | "CEIS_CNEP_CSV" | "OFAC_SDN_CSV" | "UN_XML" | "EU_CSV" | "UK_SANCTIONS_CSV" | "UK_OFSI_CSV" | "INTERPOL_JSON" | "OPENSANCTIONS_CSV" | "HOUSE_CSV" | "HOUSE_JSON";
            /** Format: decimal */
            evidenceThreshold?: number;
            /** Format: decimal */
            mandatoryThreshold?: number;
            staleAfterDays?: number | null;
        };
        ListNameBody: {
            name: string;
        };
        ListChangeBody: {
            /** Format: decimal */
            evidenceThreshold?: number;
            /** Format: decimal */
            mandatoryThreshold?: number;
            staleAfterDays?: number | null;
            archived?: boolean;
            reason: string;
        };
        ListedValueView: {
            /** @enum {string} */
            type: "DOCUMENT" | "ACCOUNT" | "PIX_KEY" | "WALLET" | "DEVICE" | "IP" | "COUNTRY" | "IDENTIFIER";
            value: string;
        };
        EntryView: {
            key: string;
            /** @enum {string} */
            kind: "PERSON" | "ORGANISATION" | "OTHER" | "UNKNOWN";
            names: string[];
            values: components["schemas"]["ListedValueView"][];
            maskedDocument: string | null;
            birthDates: string[];
            countries: string[];
            /** Format: date */
            validFrom: string | null;
            /** Format: date */
            validUntil: string | null;
            remarks: string | null;
            since: number;
        };
        SearchResultView: {
            list: string;
            /** @enum {string} */
            listKind: "SANCTIONS" | "PEP" | "DEBARMENT" | "BLOCKLIST" | "ALLOWLIST" | "WATCH";
            score: number;
            nameScore: number;
            /** @enum {string} */
            strength: "DOCUMENT" | "STRONG" | "NAME" | "CONTRADICTED";
            mandatory: boolean;
            qualifiers: string[];
            alignment: components["schemas"]["AlignedView"][];
            entry: components["schemas"]["EntryView"];
        };
        SearchBody: {
            name: string;
            /**
             * @default UNKNOWN
             * @enum {string}
             */
            kind?: "PERSON" | "ORGANISATION" | "OTHER" | "UNKNOWN";
            document?: string;
            birthDate?: string;
            nationality?: string;
            lists?: string[];
            /** @default 0.8 */
            threshold?: number;
            /** @default 20 */
            limit?: number;
        };
        ImageQualityView: {
            sharpness: number;
            glare: number;
            brightness: number;
            contrast: number;
            focus: number;
            detail: number;
            print: number;
            spot: number;
            cut: number;
        };
        ArtifactView: {
            id: string;
            /** @enum {string} */
            ownerType: "SESSION" | "REVIEW" | "CUSTOMER";
            /** @enum {string} */
            kind: "DOCUMENT" | "SELFIE" | "PROOF_OF_ADDRESS" | "ATTACHMENT";
            stepId: string | null;
            documentType: string | null;
            /** @enum {string|null} */
            side: "FRONT" | "BACK" | null;
            /** @enum {string} */
            mimeType: "image/jpeg" | "image/png" | "image/webp" | "application/pdf";
            sizeBytes: number;
            width: number | null;
            height: number | null;
            pages: number | null;
            sha256: string | null;
            quality: components["schemas"]["ImageQualityView"] | null;
            barcodes: string[];
            /** @enum {string} */
            state: "STORED" | "LOST" | "ERASED";
            linked: boolean;
            customerId: string | null;
            unlinkedReason: string | null;
            /** Format: date-time */
            receivedAt: string;
            /** Format: date-time */
            retainUntil: string;
        };
        LinkArtifactBody: {
            customerId: string;
        };
        ReviewTransactionView: {
            id: string;
            transactionId: string;
            type: string;
            amount: string;
            currency: string;
            /** Format: date-time */
            occurredAt: string;
            evaluationVersion: number;
            related: boolean;
            /** @enum {string|null} */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED" | null;
            riskScore: number | null;
            defensible: boolean | null;
        };
        ReviewHitView: {
            id: string;
            list: string;
            /** @enum {string} */
            listKind: "SANCTIONS" | "PEP" | "DEBARMENT" | "BLOCKLIST" | "ALLOWLIST" | "WATCH";
            /** @enum {string} */
            status: "PENDING" | "CONFIRMED" | "DISMISSED_FALSE_POSITIVE" | "ESCALATED";
            mandatory: boolean;
            score: number;
        };
        ReviewNoteView: {
            id: string;
            /** @enum {string} */
            kind: "REASON" | "NOTE" | "INFO_REQUEST" | "INFO" | "JUSTIFICATION" | "RETURN";
            authorId: string;
            text: string | null;
            artifactIds: string[];
            /** Format: date-time */
            writtenAt: string;
        };
        ReviewPersonView: {
            customerId: string;
            /** Format: date-time */
            addedAt: string;
        };
        ReviewFileView: {
            id: string;
            /** @enum {string} */
            kind: "SCORE" | "HIT" | "DATA_GAP" | "SESSION" | "MANUAL";
            /** @enum {string} */
            theme: "SCREENING" | "STRUCTURING" | "ACCOUNT_TAKEOVER" | "FRAUD" | "GEOGRAPHY" | "CUSTOMER" | "IDENTITY" | "DATA_GAP" | "OTHER";
            points: number;
            collects: boolean;
            /** @enum {string} */
            status: "OPEN" | "IN_ANALYSIS" | "AWAITING_INFO" | "PENDING_APPROVAL" | "CLOSED" | "MERGED";
            /** @enum {string} */
            priority: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW";
            queue: string;
            customerId: string | null;
            subjectHitId: string | null;
            clientApp: string | null;
            session: string | null;
            riskScore: number | null;
            transactionCount: number;
            revision: number;
            assigneeId: string | null;
            /** Format: date-time */
            assignedAt: string | null;
            reopenedFrom: string | null;
            mergedInto: string | null;
            splitFrom: string | null;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            begunAt: string | null;
            /** Format: date-time */
            selectionDeadline: string;
            /** Format: date-time */
            analysisDeadline: string;
            /** Format: date-time */
            responseDeadline: string | null;
            /** Format: date-time */
            reportDeadline: string | null;
            /** Format: date-time */
            reportedAt: string | null;
            /** Format: date-time */
            dueAt: string;
            overdue: boolean;
            /** @enum {string|null} */
            resolution: "APPROVED" | "REJECTED" | "FALSE_POSITIVE" | null;
            /** @enum {string|null} */
            reportDecision: "COMMUNICATE" | "ARCHIVE" | null;
            approvalId: string | null;
            singleControl: boolean;
            proposedBy: string | null;
            /** Format: date-time */
            proposedAt: string | null;
            closedBy: string | null;
            /** Format: date-time */
            closedAt: string | null;
            /** Format: date */
            retainUntil: string | null;
            justification: string | null;
            transactions: components["schemas"]["ReviewTransactionView"][];
            hits: components["schemas"]["ReviewHitView"][];
            notes: components["schemas"]["ReviewNoteView"][];
            people: components["schemas"]["ReviewPersonView"][];
            merged: string[];
        };
        MergeBody: {
            review: string;
            reason: string;
        };
        CaseReasonBody: {
            reason: string;
        };
        SplitBody: {
            transactions?: string[];
            hits?: string[];
            reason: string;
        };
        AddPeopleBody: {
            customers: string[];
            reason: string;
        };
        OpenReviewBody: {
            customerId?: string;
            transaction?: string;
            reason: string;
            /**
             * @default MEDIUM
             * @enum {string}
             */
            priority?: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW";
            queue?: string;
        };
        ShareView: {
            reviewId: string;
            assigneeId: string;
        };
        UnassignedCaseView: {
            reviewId: string;
            /** @enum {string} */
            code: "REVIEW_NOT_FOUND" | "CLOSED" | "NOBODY_FREE";
        };
        AssignmentsView: {
            preview: boolean;
            assignments: components["schemas"]["ShareView"][];
            left: string[];
            refused: components["schemas"]["UnassignedCaseView"][];
        };
        BulkAssignmentBody: {
            reviewIds?: string[];
            assigneeId?: string;
            /** @default false */
            automatic?: boolean;
            queue?: string;
            /** @enum {string} */
            kind?: "SCORE" | "HIT" | "DATA_GAP" | "SESSION" | "MANUAL";
            /** @default 100 */
            limit?: number;
            /** @default false */
            preview?: boolean;
        };
        ReviewEntryView: {
            seq: number;
            action: string;
            actor: string;
            /** Format: date-time */
            occurredAt: string;
            content: {
                [key: string]: unknown;
            };
        };
        ReviewTimelineView: {
            entries: components["schemas"]["ReviewEntryView"][];
            /** @enum {string} */
            trailStatus: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
        };
        AssignBody: {
            assigneeId?: string | null;
            /** @default false */
            automatic?: boolean;
        };
        NoteBody: {
            text: string;
            artifactIds?: string[];
        };
        AddTransactionsBody: {
            transactions: string[];
            reason: string;
        };
        RelatedTransactionsView: {
            transactions: components["schemas"]["ReviewTransactionView"][];
            more: boolean;
        };
        RequestInfoBody: {
            text: string;
        };
        DecisionBody: {
            /** @enum {string} */
            resolution: "APPROVED" | "REJECTED" | "FALSE_POSITIVE";
            /** @enum {string} */
            report: "COMMUNICATE" | "ARCHIVE";
            justification: string;
            withoutRelated?: string;
            revision?: number;
        };
        ProviderUsageView: {
            /** Format: date */
            day: string;
            calls: number;
            failures: number;
            costMicros: number;
            meanMs: number | null;
        };
        ProviderView: {
            name: string;
            version: number;
            checks: ("DOCUMENT" | "FACE_MATCH" | "LIVENESS" | "RECEITA" | "ADDRESS" | "ONE_TIME_CODE")[];
            url: string;
            timeoutMs: number;
            costMicros: number;
            rank: number;
            enabled: boolean;
            singleControl: boolean;
            /** @enum {string} */
            health: "NEVER_ASKED" | "OK" | "FAILING" | "CIRCUIT_OPEN" | "DISABLED";
            lastFailure: string | null;
            /** Format: date-time */
            lastFailureAt: string | null;
            /** Format: date-time */
            lastAnswerAt: string | null;
            usage: components["schemas"]["ProviderUsageView"][];
            /** Format: date-time */
            createdAt: string;
        };
        ProvidersView: {
            providers: components["schemas"]["ProviderView"][];
        };
        ProviderBody: {
            name: string;
            checks: ("DOCUMENT" | "FACE_MATCH" | "LIVENESS" | "RECEITA" | "ADDRESS" | "ONE_TIME_CODE")[];
            url: string;
            timeoutMs?: number;
            costMicros?: number;
            rank?: number;
            newSecret?: boolean;
            reason: string;
        };
        ProviderSecretView: {
            secret: string;
        };
        IssuedLinkView: {
            sessionId: string;
            /** Format: uri */
            url: string;
            /** Format: date-time */
            expiresAt: string;
            reference: string;
        };
        EvidenceView: {
            /** @enum {string} */
            name: "TAX_ID" | "PROFILE" | "AGE" | "PEP_DECLARATION" | "LISTS" | "DOCUMENT_QUALITY" | "DOCUMENT_CODE" | "DUPLICATE_ARTIFACT" | "DOCUMENT" | "FACE_MATCH" | "LIVENESS" | "DOCUMENT_DATA" | "RECEITA" | "ADDRESS" | "CONTACT" | "OWNERS";
            /** @enum {string} */
            state: "HIT" | "NO_HIT" | "PARTIAL" | "ERROR" | "MISSING_INPUT" | "SKIPPED" | "STALE_SOURCE";
            required: boolean;
            reason: string | null;
            source: string;
            /** Format: date-time */
            asOf: string;
            points: number;
            remarks: string[];
        };
        SessionResultView: {
            /** @enum {string} */
            outcome: "APPROVED" | "REVIEW" | "REJECTED";
            riskScore?: number;
            /** @enum {string} */
            composition: "COMPLETE" | "PARTIAL" | "MISSING" | "INCONSISTENT";
            defensible: boolean;
            nonDefensibleReasons: string[];
            evidence: components["schemas"]["EvidenceView"][];
        };
        SessionDecisionView: {
            /** @enum {string} */
            outcome: "APPROVED" | "REJECTED";
            /** @enum {string} */
            by: "PERSON";
            /** Format: date-time */
            decidedAt: string;
        };
        SessionView: {
            reference: string;
            sessionId: string | null;
            /** Format: uri */
            url: string | null;
            /** @enum {string} */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "EXPIRED";
            /** @enum {string|null} */
            statusReason: "TIMEOUT" | "CANCELLED" | "CHECKED" | null;
            customerId: string;
            flowKey: string;
            flowVersion: number;
            flowName: string;
            /** @enum {string} */
            trigger: "OPERATOR" | "STEP_UP" | "API" | "COMPANY" | "REVERIFICATION";
            transactionRef: string | null;
            attempt: number;
            round: number;
            protocol: string;
            privacyNoticeVersion: number | null;
            parentReference: string | null;
            reusedReference: string | null;
            metadata: {
                [key: string]: string;
            };
            previousReference: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            submittedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            result: components["schemas"]["SessionResultView"] | null;
            decision: components["schemas"]["SessionDecisionView"] | null;
        };
        FlowProblemView: {
            path: string;
            code: string;
            message: string;
        };
        FlowDraftView: {
            key: string;
            revision: number;
            definition: {
                [key: string]: unknown;
            };
            sample: {
                [key: string]: unknown;
            };
            valid: boolean;
            problems: components["schemas"]["FlowProblemView"][];
            /** Format: date-time */
            updatedAt: string;
        };
        FlowDraftBody: {
            definition: {
                [key: string]: unknown;
            };
            sample?: {
                [key: string]: unknown;
            };
            revision?: number;
        };
        FlowDifferenceView: {
            stepsAdded: string[];
            stepsChanged: string[];
            stepsRemoved: string[];
            stepsMoved: string[];
            alsoChanged: string[];
        };
        PreviewView: {
            /** Format: uri */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        PublishDraftBody: {
            revision: number;
            reason: string;
        };
        CheckedFlowView: {
            valid: boolean;
            problems: components["schemas"]["FlowProblemView"][];
        };
        FunnelStepView: {
            stepId: string;
            title: string;
            shown: number;
            done: number;
            retries: number;
            medianSeconds: number | null;
        };
        FunnelView: {
            key: string;
            version: number;
            days: number;
            steps: components["schemas"]["FunnelStepView"][];
        };
        FlowBody: {
            name?: {
                "pt-BR": string;
                en?: string;
                es?: string;
            };
            expiresInMinutes: number;
            minimumAge: number;
            steps: {
                id: string;
                /** @enum {string} */
                type: "CONSENT" | "DATA_FORM" | "DOCUMENT_CAPTURE" | "SELFIE" | "PROOF_OF_ADDRESS" | "QUESTIONNAIRE" | "INFO" | "REPEATED_GROUP" | "ONE_TIME_CODE";
                title: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                required: boolean;
                showIf?: Record<string, never>;
                when?: string;
                text?: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                noticeVersion?: string;
                fields?: Record<string, never>[];
                questions?: Record<string, never>[];
                acceptedDocuments?: Record<string, never>[];
                itemTitle?: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                min?: number;
                max?: number;
                people?: {
                    /** @enum {string} */
                    as: "OWNER" | "REPRESENTATIVE";
                    session?: {
                        flowKey: string;
                        required: boolean;
                    };
                };
                /** @enum {string} */
                channel?: "EMAIL" | "SMS";
                to?: string;
            }[];
            requiredChecks: ("TAX_ID" | "PROFILE" | "AGE" | "PEP_DECLARATION" | "LISTS" | "DOCUMENT_QUALITY" | "DOCUMENT_CODE" | "DUPLICATE_ARTIFACT" | "DOCUMENT" | "FACE_MATCH" | "LIVENESS" | "DOCUMENT_DATA" | "RECEITA" | "ADDRESS" | "CONTACT" | "OWNERS")[];
            /** @enum {string} */
            subject?: "PERSON" | "COMPANY";
            providers?: {
                [key: string]: string[];
            };
            resubmitOn?: Record<string, never>[];
        };
        FlowView: {
            id: string;
            key: string;
            version: number;
            definition: components["schemas"]["FlowBody"];
            contentHash: string;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
        };
        NewFlowBody: {
            name?: {
                "pt-BR": string;
                en?: string;
                es?: string;
            };
            expiresInMinutes: number;
            minimumAge: number;
            steps: {
                id: string;
                /** @enum {string} */
                type: "CONSENT" | "DATA_FORM" | "DOCUMENT_CAPTURE" | "SELFIE" | "PROOF_OF_ADDRESS" | "QUESTIONNAIRE" | "INFO" | "REPEATED_GROUP" | "ONE_TIME_CODE";
                title: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                required: boolean;
                showIf?: Record<string, never>;
                when?: string;
                text?: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                noticeVersion?: string;
                fields?: Record<string, never>[];
                questions?: Record<string, never>[];
                acceptedDocuments?: Record<string, never>[];
                itemTitle?: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                min?: number;
                max?: number;
                people?: {
                    /** @enum {string} */
                    as: "OWNER" | "REPRESENTATIVE";
                    session?: {
                        flowKey: string;
                        required: boolean;
                    };
                };
                /** @enum {string} */
                channel?: "EMAIL" | "SMS";
                to?: string;
            }[];
            requiredChecks: ("TAX_ID" | "PROFILE" | "AGE" | "PEP_DECLARATION" | "LISTS" | "DOCUMENT_QUALITY" | "DOCUMENT_CODE" | "DUPLICATE_ARTIFACT" | "DOCUMENT" | "FACE_MATCH" | "LIVENESS" | "DOCUMENT_DATA" | "RECEITA" | "ADDRESS" | "CONTACT" | "OWNERS")[];
            /** @enum {string} */
            subject?: "PERSON" | "COMPANY";
            providers?: {
                [key: string]: string[];
            };
            resubmitOn?: Record<string, never>[];
            reason: string;
            key: string;
        };
        NextFlowBody: {
            name?: {
                "pt-BR": string;
                en?: string;
                es?: string;
            };
            expiresInMinutes: number;
            minimumAge: number;
            steps: {
                id: string;
                /** @enum {string} */
                type: "CONSENT" | "DATA_FORM" | "DOCUMENT_CAPTURE" | "SELFIE" | "PROOF_OF_ADDRESS" | "QUESTIONNAIRE" | "INFO" | "REPEATED_GROUP" | "ONE_TIME_CODE";
                title: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                required: boolean;
                showIf?: Record<string, never>;
                when?: string;
                text?: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                noticeVersion?: string;
                fields?: Record<string, never>[];
                questions?: Record<string, never>[];
                acceptedDocuments?: Record<string, never>[];
                itemTitle?: {
                    "pt-BR": string;
                    en?: string;
                    es?: string;
                };
                min?: number;
                max?: number;
                people?: {
                    /** @enum {string} */
                    as: "OWNER" | "REPRESENTATIVE";
                    session?: {
                        flowKey: string;
                        required: boolean;
                    };
                };
                /** @enum {string} */
                channel?: "EMAIL" | "SMS";
                to?: string;
            }[];
            requiredChecks: ("TAX_ID" | "PROFILE" | "AGE" | "PEP_DECLARATION" | "LISTS" | "DOCUMENT_QUALITY" | "DOCUMENT_CODE" | "DUPLICATE_ARTIFACT" | "DOCUMENT" | "FACE_MATCH" | "LIVENESS" | "DOCUMENT_DATA" | "RECEITA" | "ADDRESS" | "CONTACT" | "OWNERS")[];
            /** @enum {string} */
            subject?: "PERSON" | "COMPANY";
            providers?: {
                [key: string]: string[];
            };
            resubmitOn?: Record<string, never>[];
            reason: string;
        };
        FormerFlowBody: {
            version: number;
            reason: string;
        };
        DataControllerBody: {
            name: string;
            document: string;
        };
        NoticeTextBody: {
            "pt-BR": string;
            en?: string;
            es?: string;
        };
        DataOfficerBody: {
            name: string;
            contact: string;
        };
        PrivacyNoticeBody: {
            controller: components["schemas"]["DataControllerBody"];
            purposes: components["schemas"]["NoticeTextBody"][];
            retention: components["schemas"]["NoticeTextBody"];
            officer: components["schemas"]["DataOfficerBody"];
            biometrics: components["schemas"]["NoticeTextBody"];
            helpContact?: string;
        };
        PrivacyNoticeVersionView: {
            id: string;
            version: number;
            content: components["schemas"]["PrivacyNoticeBody"];
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
        };
        CurrentPrivacyNoticeView: {
            current: components["schemas"]["PrivacyNoticeVersionView"] | null;
        };
        RoundStartedView: {
            reference: string;
            /** @enum {string} */
            status: "PENDING";
            steps: string[];
        };
        StepAgainBody: {
            stepId: string;
            reason: string;
        };
        ResubmissionBody: {
            steps: components["schemas"]["StepAgainBody"][];
        };
        TreePersonView: {
            /** @enum {string} */
            as: "OWNER" | "REPRESENTATIVE";
            name: string | null;
            documentMasked: string | null;
            customerId: string | null;
            share: number | null;
            beneficial: boolean;
            hits: string[];
            session: string | null;
            sessionStatus: string | null;
            sessionOutcome: string | null;
        };
        CompanyTreeView: {
            reference: string;
            customerId: string;
            people: components["schemas"]["TreePersonView"][];
        };
        NewOperatorSessionBody: {
            flowKey: string;
            externalCustomerId?: string;
            customerId?: string;
            expiresInMinutes?: number;
            previousSessionId?: string;
            redirectUrl?: string;
            metadata?: {
                [key: string]: string;
            };
            prefill?: {
                [key: string]: unknown;
            };
            clientId?: string;
        };
        ReverificationView: {
            flowKey: string;
            lowMonths: number;
            mediumMonths: number;
            highMonths: number;
            documentDays: number;
            enabled: boolean;
        };
        ReverificationTermsView: {
            terms: components["schemas"]["ReverificationView"] | null;
        };
        ReverificationBody: {
            flowKey: string;
            lowMonths: number;
            mediumMonths: number;
            highMonths: number;
            documentDays: number;
            enabled: boolean;
        };
        GivenAnswerView: {
            id: string;
            label: string;
            type: string;
            text: string | null;
            masked: boolean;
        };
        CodeReadView: {
            format: string;
            text: string | null;
        };
        EvidenceFileView: {
            id: string;
            /** @enum {string} */
            kind: "DOCUMENT" | "SELFIE" | "PROOF_OF_ADDRESS" | "ATTACHMENT";
            documentType: string | null;
            /** @enum {string|null} */
            side: "FRONT" | "BACK" | null;
            /** @enum {string} */
            mimeType: "image/jpeg" | "image/png" | "image/webp" | "application/pdf";
            pages: number | null;
            quality: components["schemas"]["ImageQualityView"] | null;
            flaws: ("WRONG_SUBJECT" | "LOW_RESOLUTION" | "TOO_DARK" | "LOW_CONTRAST" | "BLURRED" | "GLARE" | "CUT_OFF")[];
            counts: boolean;
            codes: components["schemas"]["CodeReadView"][];
            /** Format: date-time */
            receivedAt: string;
        };
        RejectedFileView: {
            reason: string | null;
            /** Format: date-time */
            at: string;
        };
        StepEvidenceView: {
            stepId: string;
            /** @enum {string} */
            type: "CONSENT" | "DATA_FORM" | "DOCUMENT_CAPTURE" | "SELFIE" | "PROOF_OF_ADDRESS" | "QUESTIONNAIRE" | "INFO" | "REPEATED_GROUP" | "ONE_TIME_CODE";
            title: string;
            answers: components["schemas"]["GivenAnswerView"][];
            files: components["schemas"]["EvidenceFileView"][];
            rejected: components["schemas"]["RejectedFileView"][];
        };
        SessionEvidenceView: {
            reference: string;
            /** @enum {string} */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "EXPIRED";
            customerId: string;
            revealed: boolean;
            erased: boolean;
            steps: components["schemas"]["StepEvidenceView"][];
            answers: components["schemas"]["GivenAnswerView"][];
            files: components["schemas"]["EvidenceFileView"][];
            checks: components["schemas"]["EvidenceView"][];
        };
        FailureView: {
            code: string;
            stage: string;
            attempts: number;
        };
        ListedDeadLetterView: {
            id: string;
            clientApp: string;
            transactionId: string;
            type: string;
            amount: string;
            currency: string;
            /** Format: date-time */
            receivedAt: string;
            failure: components["schemas"]["FailureView"];
            generation: number;
            /** Format: date-time */
            discardedAt: string | null;
            originName: string | null;
            destinationName: string | null;
        };
        ReplayedView: {
            replayed: number;
        };
        DeadLetterFilterBody: {
            code?: string;
            stage?: string;
            type?: string;
            /** @default 1000 */
            limit?: number;
        };
        DiscardView: {
            id: string;
            /** @enum {string} */
            status: "REQUESTED" | "APPROVED" | "WITHDRAWN";
            count: number;
            discarded: number | null;
            reason: string;
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
        };
        AskedDiscardView: {
            id: string;
            /** @enum {string} */
            status: "REQUESTED" | "APPROVED" | "WITHDRAWN";
            count: number;
            discarded: number | null;
            reason: string;
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            approvalId: string;
        };
        BulkDiscardBody: {
            code?: string;
            stage?: string;
            type?: string;
            /** @default 1000 */
            limit?: number;
            reason: string;
        };
        DeadLetterView: {
            id: string;
            clientApp: string;
            transactionId: string;
            type: string;
            amount: string;
            currency: string;
            /** Format: date-time */
            receivedAt: string;
            failure: components["schemas"]["FailureView"];
            generation: number;
            /** Format: date-time */
            discardedAt: string | null;
        };
        DiscardReasonBody: {
            reason: string;
        };
        ListedTransactionView: {
            id: string;
            clientApp: string;
            transactionId: string;
            type: string;
            channel: string;
            amount: string;
            currency: string;
            /** @enum {string|null} */
            direction: "IN" | "OUT" | null;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "DEAD_LETTERED";
            /** @enum {string|null} */
            verdict: "RELEASE" | "CHALLENGE" | "HOLD" | "DECLINE" | null;
            /** @enum {string|null} */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED" | null;
            /** @enum {string|null} */
            recommendedAction: "NONE" | "STEP_UP" | "HOLD" | "DECLINE" | null;
            riskScore: number | null;
            /** @enum {string|null} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL" | null;
            /** @enum {string|null} */
            composition: "COMPLETE" | "PARTIAL" | "MISSING" | "INCONSISTENT" | null;
            defensible: boolean | null;
            evaluationVersion: number | null;
            /** Format: date-time */
            evaluatedAt: string | null;
            failure: components["schemas"]["FailureView"] | null;
            originName: string | null;
            destinationName: string | null;
        };
        PipelineHourView: {
            /** Format: date-time */
            hour: string;
            received: number;
            challenged: number;
            review: number;
        };
        PipelineView: {
            hours: components["schemas"]["PipelineHourView"][];
            waiting: number;
            /** Format: date-time */
            oldestQueuedAt: string | null;
            most: number;
        };
        NotEvaluatedView: {
            ruleId: string;
            missing: string[];
        };
        EvaluationSummaryView: {
            version: number;
            /** @enum {string} */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED";
            riskScore: number | null;
            ruleset: string | null;
            rulesetHash: string | null;
            /** Format: date-time */
            evaluatedAt: string;
            receiptHash: string;
            nonDefensibleReasons: string[];
            notEvaluated: components["schemas"]["NotEvaluatedView"][];
            withoutInputs: string[];
            components: {
                [key: string]: unknown;
            };
            reasons: {
                [key: string]: unknown;
            }[];
        };
        TransactionFileView: {
            id: string;
            clientApp: string;
            transactionId: string;
            type: string;
            channel: string;
            amount: string;
            currency: string;
            /** @enum {string|null} */
            direction: "IN" | "OUT" | null;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "DEAD_LETTERED";
            /** @enum {string|null} */
            verdict: "RELEASE" | "CHALLENGE" | "HOLD" | "DECLINE" | null;
            /** @enum {string|null} */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED" | null;
            /** @enum {string|null} */
            recommendedAction: "NONE" | "STEP_UP" | "HOLD" | "DECLINE" | null;
            riskScore: number | null;
            /** @enum {string|null} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL" | null;
            /** @enum {string|null} */
            composition: "COMPLETE" | "PARTIAL" | "MISSING" | "INCONSISTENT" | null;
            defensible: boolean | null;
            evaluationVersion: number | null;
            /** Format: date-time */
            evaluatedAt: string | null;
            failure: components["schemas"]["FailureView"] | null;
            /** @enum {string} */
            source: "INGEST" | "LEGACY";
            /** @enum {string} */
            directionSource: "METADATA" | "DOCUMENTS" | "TYPE_DEFAULT" | "UNKNOWN";
            warnings: string[];
            requestId: string;
            correlationId: string;
            /** @enum {string} */
            submissionState: "OPEN" | "ERASED" | "BROKEN";
            submission: {
                [key: string]: unknown;
            } | null;
            evaluations: components["schemas"]["EvaluationSummaryView"][];
        };
        TimelineEntryView: {
            seq: number;
            action: string;
            actor: string;
            /** Format: date-time */
            occurredAt: string;
            requestId: string | null;
            correlationId: string | null;
            content: {
                [key: string]: unknown;
            };
            hash: string;
        };
        TimelineView: {
            /** @enum {string} */
            trail: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
            entries: components["schemas"]["TimelineEntryView"][];
        };
        DecisionReceiptView: {
            evaluationVersion: number;
            receiptHash: string;
            receipt: {
                [key: string]: unknown;
            };
        };
        PersonBehindBody: {
            /** @enum {string} */
            role: "OWNER" | "REPRESENTATIVE";
            name: string;
            cpfCnpj?: string | null;
            /** Format: date */
            birthDate?: string | null;
            nationality?: string | null;
        };
        ParticipantBody: {
            name?: string | null;
            cpfCnpj?: string | null;
            accountReference?: string | null;
            bankReference?: string | null;
            walletReference?: string | null;
            country?: string | null;
            people?: components["schemas"]["PersonBehindBody"][] | null;
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        IngestTransactionBody: {
            transactionId: string;
            externalCustomerId?: string | null;
            cpfCnpj?: string | null;
            type: string;
            channel: string;
            /** Format: decimal */
            amount: number;
            currency: string;
            /** Format: date-time */
            occurredAt: string;
            origin: components["schemas"]["ParticipantBody"];
            destination: components["schemas"]["ParticipantBody"];
            metadata?: ({
                /** @enum {string|null} */
                direction?: "IN" | "OUT" | null;
                deviceId?: string | null;
                ipAddress?: string | null;
            } & {
                [key: string]: unknown;
            }) | null;
        };
        TriedFactView: {
            /** @enum {string} */
            state: "KNOWN" | "MISSING" | "ERROR" | "STALE" | "SKIPPED";
            value?: string | number | boolean | unknown[];
            reason?: string;
            saturated?: boolean;
        };
        LeafView: {
            expr: string;
            /** @enum {string} */
            result: "TRUE" | "FALSE" | "UNKNOWN";
            values: {
                [key: string]: unknown;
            };
            unknown: {
                [key: string]: unknown;
            };
            saturated: string[];
        };
        TriedRuleView: {
            ruleId: string;
            version: number;
            /** @enum {string} */
            applies: "TRUE" | "FALSE" | "UNKNOWN";
            /** @enum {string} */
            result: "HIT" | "NO_HIT" | "INDETERMINATE";
            /** @enum {string} */
            effect: "COUNTED" | "SHADOW" | "SUPPRESSED" | "SNOOZED" | "COOLDOWN";
            points: number;
            explanation: components["schemas"]["LeafView"][];
        };
        DryRunView: {
            ruleset: string | null;
            rulesetHash: string | null;
            /** @enum {string} */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED";
            /** @enum {string} */
            recommendedAction: "NONE" | "STEP_UP" | "HOLD" | "DECLINE";
            riskScore: number | null;
            /** @enum {string|null} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | "CRITICAL" | null;
            /** @enum {string} */
            composition: "COMPLETE" | "PARTIAL" | "MISSING" | "INCONSISTENT";
            defensible: boolean;
            nonDefensibleReasons: string[];
            notEvaluated: components["schemas"]["NotEvaluatedView"][];
            required: string[];
            components: {
                [key: string]: unknown;
            };
            groups: {
                [key: string]: unknown;
            }[];
            dampening: number;
            reasons: {
                [key: string]: unknown;
            }[];
            flags: string[];
            requestedActions: {
                [key: string]: string;
            }[];
            rules: components["schemas"]["TriedRuleView"][];
            facts: {
                [key: string]: components["schemas"]["TriedFactView"];
            };
        };
        TriedRulesetBody: {
            key: string;
            version: number;
        };
        DryRunBody: {
            transaction: components["schemas"]["IngestTransactionBody"];
            ruleset?: components["schemas"]["TriedRulesetBody"];
            /** @default [] */
            draftRules?: string[];
            clientApp?: string;
            assume?: {
                [key: string]: unknown;
            };
        };
        ReEvaluationView: {
            id: string;
            evaluationVersion: number;
            /** @enum {string} */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED";
            riskScore: number | null;
            receiptHash: string;
        };
        InputCoverageView: {
            /** @enum {string} */
            input: "DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT";
            said: boolean;
            came: number;
            lacked: number;
            costsInReview: number;
        };
        ApplicationInputsView: {
            id: string;
            clientId: string;
            name: string;
            withoutInputs: ("DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT")[];
            richer: ("DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT")[];
            transactions: number;
            inReview: number;
            inReviewIfAllSaid: number;
            inputs: components["schemas"]["InputCoverageView"][];
        };
        RulesOfInputView: {
            /** @enum {string} */
            input: "DICT" | "DEVICE" | "PROFILE" | "COUNTERPARTY_DOCUMENT";
            rules: string[];
        };
        InputReportView: {
            /** Format: date-time */
            since: string;
            applications: components["schemas"]["ApplicationInputsView"][];
            rules: components["schemas"]["RulesOfInputView"][];
        };
        LookBackBody: {
            days: number;
            reason: string;
        };
        UndecidedRuleView: {
            rule: string;
            count: number;
        };
        LookBackCountsView: {
            looked: number;
            alerts: number;
            known: number;
            opened: number;
            joined: number;
            unreadable: number;
            judgedBy: string[];
            undecided: components["schemas"]["UndecidedRuleView"][];
        };
        LookBackView: {
            id: string;
            /** @enum {string} */
            kind: "RULESET" | "LIST";
            ruleset: string | null;
            version: number | null;
            list: string | null;
            days: number;
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
            /** @enum {string} */
            status: "QUEUED" | "RUNNING" | "FINISHED" | "FAILED" | "CANCELLED";
            total: number | null;
            done: number;
            counts: components["schemas"]["LookBackCountsView"];
            failureCode: string | null;
            requestedBy: string;
            approvedBy: string;
            approvalId: string;
            singleControl: boolean;
            cancelledBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            finishedAt: string | null;
        };
        SearchCustomerView: {
            id: string;
            name: string | null;
            documentMasked: string | null;
            externalCustomerId: string | null;
            /** @enum {string|null} */
            personType: "NATURAL" | "LEGAL" | null;
            /** @enum {string|null} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | null;
        };
        SearchCaseView: {
            id: string;
            /** @enum {string} */
            kind: "SCORE" | "HIT" | "DATA_GAP" | "SESSION" | "MANUAL";
            /** @enum {string} */
            theme: "SCREENING" | "STRUCTURING" | "ACCOUNT_TAKEOVER" | "FRAUD" | "GEOGRAPHY" | "CUSTOMER" | "IDENTITY" | "DATA_GAP" | "OTHER";
            /** @enum {string} */
            status: "OPEN" | "IN_ANALYSIS" | "AWAITING_INFO" | "PENDING_APPROVAL" | "CLOSED" | "MERGED";
            /** @enum {string} */
            priority: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW";
            queue: string;
            points: number;
            transactionCount: number;
            /** @enum {string|null} */
            resolution: "APPROVED" | "REJECTED" | "FALSE_POSITIVE" | null;
            customerId: string | null;
            customerName: string | null;
            assigneeId: string | null;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            dueAt: string;
        };
        SearchTransactionView: {
            id: string;
            transactionId: string;
            type: string;
            amount: string;
            currency: string;
            /** @enum {string|null} */
            direction: "IN" | "OUT" | null;
            /** Format: date-time */
            occurredAt: string;
        };
        SearchHitView: {
            id: string;
            list: string;
            /** @enum {string} */
            listKind: "SANCTIONS" | "PEP" | "DEBARMENT" | "BLOCKLIST" | "ALLOWLIST" | "WATCH";
            /** @enum {string} */
            status: "PENDING" | "CONFIRMED" | "DISMISSED_FALSE_POSITIVE" | "ESCALATED";
            mandatory: boolean;
            score: number;
            customerId: string | null;
            customerName: string | null;
            /** Format: date-time */
            foundAt: string;
        };
        SearchFindingsView: {
            customers: components["schemas"]["SearchCustomerView"][];
            cases: components["schemas"]["SearchCaseView"][];
            transactions: components["schemas"]["SearchTransactionView"][];
            hits: components["schemas"]["SearchHitView"][];
        };
        RelationNodeView: {
            id: string;
            /** @enum {string} */
            kind: "CUSTOMER" | "DEVICE" | "ACCOUNT" | "ADDRESS" | "COUNTERPARTY" | "DOCUMENT";
            distance: number;
            customerId: string | null;
            name: string | null;
            documentMasked: string | null;
            /** @enum {string|null} */
            riskLevel: "LOW" | "MEDIUM" | "HIGH" | null;
            openCases: number | null;
            customers: number | null;
            cut: boolean;
        };
        RelationEdgeView: {
            from: string;
            to: string;
            /** @enum {string} */
            kind: "USES" | "PAYS" | "SHOWS";
            count: number;
            /** Format: date-time */
            lastAt: string;
            lastTransactionId: string | null;
        };
        RelationsView: {
            nodes: components["schemas"]["RelationNodeView"][];
            edges: components["schemas"]["RelationEdgeView"][];
            cut: boolean;
        };
        FilingView: {
            filingNumber: string;
            acknowledgement: string | null;
            /** Format: date-time */
            receivedAt: string | null;
            recordedBy: string;
            /** Format: date-time */
            recordedAt: string | null;
            confirmedBy: string | null;
            /** Format: date-time */
            confirmedAt: string | null;
            contentHash: string;
        };
        CommunicationView: {
            id: string;
            /** @enum {string} */
            kind: "SUSPICION" | "CASH";
            /** @enum {number} */
            segment: 41 | 42;
            /** @enum {string} */
            status: "DRAFT" | "RECORDED" | "FILED" | "DISMISSED";
            reviewId: string | null;
            transactionRef: string | null;
            customerId: string | null;
            amountBrl: string | null;
            /** Format: date-time */
            decidedAt: string;
            /** Format: date-time */
            dueAt: string;
            overdue: boolean;
            approvalId: string | null;
            filing: components["schemas"]["FilingView"] | null;
        };
        DraftProblemView: {
            field: string;
            /** @enum {string} */
            code: "MISSING" | "INVALID" | "TOO_LONG" | "TOO_LARGE" | "CODE_UNKNOWN" | "CHARACTERS_REPLACED" | "NOT_KNOWN";
        };
        CommunicationDetailView: {
            id: string;
            /** @enum {string} */
            kind: "SUSPICION" | "CASH";
            /** @enum {number} */
            segment: 41 | 42;
            /** @enum {string} */
            status: "DRAFT" | "RECORDED" | "FILED" | "DISMISSED";
            reviewId: string | null;
            transactionRef: string | null;
            customerId: string | null;
            amountBrl: string | null;
            /** Format: date-time */
            decidedAt: string;
            /** Format: date-time */
            dueAt: string;
            overdue: boolean;
            approvalId: string | null;
            filing: components["schemas"]["FilingView"] | null;
            codes: number[];
            problems: components["schemas"]["DraftProblemView"][];
        };
        FilingBody: {
            filingNumber: string;
            acknowledgement?: string;
            receivedAt: string;
        };
        YearCountView: {
            /** @enum {string} */
            kind: "SUSPICION" | "CASH";
            drafted: number;
            filed: number;
        };
        YearView: {
            year: number;
            counts: components["schemas"]["YearCountView"][];
            noOccurrence: boolean;
            /** Format: date-time */
            statementDueAt: string;
        };
        InstitutionView: {
            taxId: string | null;
            name: string | null;
            branchNumber: string | null;
            branchName: string | null;
            city: string | null;
            state: string | null;
        };
        InstitutionBody: {
            taxId: string;
            name: string;
            branchNumber?: string;
            branchName?: string;
            city?: string;
            state?: string;
        };
        CommunicationCodeView: {
            code: number;
            text: string | null;
        };
        CommunicationPartyView: {
            position: number;
            documentMasked: string | null;
            name: string | null;
            /** @enum {string} */
            role: "HOLDER" | "RESPONSIBLE" | "DEPOSITOR" | "PARTNER" | "DIRECTOR" | "DRAWER" | "ATTORNEY" | "OTHER" | "BENEFICIARY" | "SENDER";
            roleText: string;
            account: string | null;
            branchNumber: string | null;
            branchName: string | null;
            /** Format: date */
            accountOpenedOn: string | null;
            /** Format: date */
            profileUpdatedOn: string | null;
            pep: boolean | null;
            obliged: boolean | null;
            publicServant: boolean | null;
        };
        CommunicationEditView: {
            revision: number;
            editedBy: string;
            /** Format: date-time */
            editedAt: string;
            fields: ("codes" | "details" | "from" | "to" | "credit" | "debit" | "provision" | "proposal" | "parties")[];
            reason: string;
        };
        CommunicationContentView: {
            id: string;
            /** @enum {string} */
            status: "DRAFT" | "RECORDED" | "FILED" | "DISMISSED";
            revision: number;
            drafted: ("codes" | "details" | "from" | "to" | "credit" | "debit" | "provision" | "proposal" | "parties")[];
            /** Format: date */
            from: string | null;
            /** Format: date */
            to: string | null;
            credit: string | null;
            debit: string | null;
            provision: string | null;
            proposal: string | null;
            details: string | null;
            codes: components["schemas"]["CommunicationCodeView"][];
            parties: components["schemas"]["CommunicationPartyView"][];
            edits: components["schemas"]["CommunicationEditView"][];
        };
        EditedPartyBody: {
            position?: number;
            taxId?: string;
            name?: string;
            /** @enum {string} */
            role?: "HOLDER" | "RESPONSIBLE" | "DEPOSITOR" | "PARTNER" | "DIRECTOR" | "DRAWER" | "ATTORNEY" | "OTHER" | "BENEFICIARY" | "SENDER";
            account?: string;
            branchNumber?: string;
            branchName?: string;
            /** Format: date */
            accountOpenedOn?: string;
            /** Format: date */
            profileUpdatedOn?: string;
            pep?: boolean;
            obliged?: boolean;
            publicServant?: boolean;
        };
        EditCommunicationBody: {
            revision: number;
            codes?: number[];
            details?: string;
            /** Format: date */
            from?: string;
            /** Format: date */
            to?: string;
            credit?: string;
            debit?: string;
            provision?: string;
            proposal?: string;
            parties?: components["schemas"]["EditedPartyBody"][];
            reason: string;
        };
        DayFiguresView: {
            day: string;
            /** @enum {string} */
            kind: "SCORE" | "HIT" | "DATA_GAP" | "SESSION" | "MANUAL";
            opened: number;
        };
        AgeFiguresView: {
            /** @enum {string} */
            days: "0-7" | "8-30" | "31-45" | "46+";
            cases: number;
        };
        DecisionFiguresView: {
            cases: number;
            meanHours: number | null;
            medianHours: number | null;
            p90Hours: number | null;
        };
        RuleFiguresView: {
            ruleId: string;
            cases: number;
            truePositives: number;
            falsePositives: number;
            others: number;
            truePositiveRate: number | null;
            falsePositiveRate: number | null;
        };
        ListFiguresView: {
            list: string;
            hits: number;
            confirmed: number;
            dismissed: number;
            waiting: number;
            truePositiveRate: number | null;
            falsePositiveRate: number | null;
        };
        OverdueView: {
            cases: number;
            communications: number;
        };
        ComplianceFiguresView: {
            from: string;
            to: string;
            alertsPerDay: components["schemas"]["DayFiguresView"][];
            ageing: components["schemas"]["AgeFiguresView"][];
            timeToDecision: components["schemas"]["DecisionFiguresView"];
            rules: components["schemas"]["RuleFiguresView"][];
            lists: components["schemas"]["ListFiguresView"][];
            overdue: components["schemas"]["OverdueView"];
        };
        IncompleteTrailView: {
            subject: string;
            /** @enum {string} */
            status: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
        };
        DossierCheckpointView: {
            size: number;
            root: string;
            /** Format: date-time */
            signedAt: string;
        };
        DossierTrailView: {
            /** @enum {string} */
            status: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
            subjects: number;
            incomplete: components["schemas"]["IncompleteTrailView"][];
            checkpoint: components["schemas"]["DossierCheckpointView"] | null;
        };
        DossierInstitutionView: {
            name: string;
            taxId: string | null;
        };
        DossierPersonView: {
            id: string;
            name: string;
            roles: string[];
        };
        DossierHeadView: {
            id: string;
            /** @enum {string} */
            about: "CUSTOMER" | "REVIEW";
            subjectId: string;
            /** Format: date-time */
            generatedAt: string;
            generatedBy: string;
            auditReady: boolean;
            trail: components["schemas"]["DossierTrailView"];
            institution: components["schemas"]["DossierInstitutionView"] | null;
            people: components["schemas"]["DossierPersonView"][];
        };
        DossierCustomerView: {
            id: string;
            name: string | null;
            documentMasked: string | null;
            externalCustomerId: string | null;
            birthDate: string | null;
            nationalities: string[];
            personType: string | null;
            assurance: string;
            identifiedBy: string;
            /** Format: date-time */
            identifiedAt: string;
            riskLevel: string | null;
            legalHold: boolean;
            erased: boolean;
        };
        DossierNoteView: {
            /** Format: date-time */
            writtenAt: string;
            author: string;
            text: string | null;
        };
        DossierStepView: {
            /** Format: date-time */
            at: string;
            action: string;
            actor: string;
        };
        DossierCaseView: {
            id: string;
            /** @enum {string} */
            kind: "SCORE" | "HIT" | "DATA_GAP" | "SESSION" | "MANUAL";
            /** @enum {string} */
            status: "OPEN" | "IN_ANALYSIS" | "AWAITING_INFO" | "PENDING_APPROVAL" | "CLOSED" | "MERGED";
            priority: number;
            riskScore: number | null;
            transactions: number;
            /** Format: date-time */
            openedAt: string;
            openedBy: string;
            /** Format: date-time */
            selectionDeadline: string;
            /** Format: date-time */
            analysisDeadline: string;
            /** Format: date-time */
            reportDeadline: string | null;
            resolution: string | null;
            report: string | null;
            justification: string | null;
            proposedBy: string | null;
            /** Format: date-time */
            proposedAt: string | null;
            closedBy: string | null;
            /** Format: date-time */
            closedAt: string | null;
            reopenedFrom: string | null;
            retainUntil: string | null;
            notes: components["schemas"]["DossierNoteView"][];
            steps: components["schemas"]["DossierStepView"][];
        };
        DossierHitView: {
            id: string;
            list: string;
            /** @enum {string} */
            listKind: "SANCTIONS" | "PEP" | "DEBARMENT" | "BLOCKLIST" | "ALLOWLIST" | "WATCH";
            entry: string;
            foundName: string | null;
            strength: string;
            score: number;
            mandatory: boolean;
            /** @enum {string} */
            status: "PENDING" | "CONFIRMED" | "DISMISSED_FALSE_POSITIVE" | "ESCALATED";
            /** Format: date-time */
            foundAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            justification: string | null;
        };
        DossierCommunicationView: {
            id: string;
            /** @enum {string} */
            kind: "SUSPICION" | "CASH";
            /** @enum {string} */
            status: "DRAFT" | "RECORDED" | "FILED" | "DISMISSED";
            /** Format: date-time */
            dueAt: string;
            filingNumber: string | null;
            /** Format: date-time */
            receivedAt: string | null;
        };
        DossierSessionView: {
            id: string;
            flow: string;
            trigger: string;
            /** @enum {string} */
            status: "PENDING" | "PROCESSING" | "COMPLETED" | "EXPIRED";
            statusReason: string | null;
            /** @enum {string|null} */
            outcome: "APPROVED" | "REVIEW" | "REJECTED" | null;
            score: number | null;
            composition: string | null;
            defensible: boolean | null;
            nonDefensibleReasons: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            submittedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
        };
        DossierArtifactView: {
            id: string;
            /** @enum {string} */
            kind: "DOCUMENT" | "SELFIE" | "PROOF_OF_ADDRESS" | "ATTACHMENT";
            documentType: string | null;
            side: string | null;
            /** @enum {string} */
            mimeType: "image/jpeg" | "image/png" | "image/webp" | "application/pdf";
            sizeBytes: number;
            sha256: string | null;
            /** @enum {string} */
            state: "STORED" | "LOST" | "ERASED";
            /** Format: date-time */
            receivedAt: string;
            receivedBy: string;
        };
        DossierPartyView: {
            name: string | null;
            documentMasked: string | null;
            account: string | null;
            country: string | null;
        };
        DossierTermsView: {
            silenced: string[];
            dismissedHits: string[];
            listsOff: string[];
            listsStale: string[];
            thresholds: string[];
        };
        LocalisedView: {
            "pt-BR": string;
            en: string;
        };
        DossierReasonView: {
            ruleId: string;
            version: number;
            points: number;
            observed: string | null;
            threshold: string;
            message: components["schemas"]["LocalisedView"];
            legalBasis: string[];
        };
        DossierDecisionView: {
            /** @enum {string} */
            outcome: "APPROVED" | "REJECTED";
            reviewId: string;
            /** Format: date-time */
            decidedAt: string;
            singleControl: boolean;
            proposedBy: components["schemas"]["DossierPersonView"] | null;
            closedBy: components["schemas"]["DossierPersonView"] | null;
            justification: string | null;
        };
        DossierEvaluationView: {
            version: number;
            /** Format: date-time */
            evaluatedAt: string;
            /** @enum {string} */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED";
            score: number | null;
            level: string | null;
            /** @enum {string} */
            recommendedAction: "NONE" | "STEP_UP" | "HOLD" | "DECLINE";
            composition: string;
            defensible: boolean;
            nonDefensibleReasons: string[];
            ruleset: string | null;
            terms: components["schemas"]["DossierTermsView"];
            receiptHash: string;
            reasons: components["schemas"]["DossierReasonView"][];
            decision: components["schemas"]["DossierDecisionView"] | null;
        };
        DossierTransactionView: {
            id: string;
            transactionId: string;
            type: string;
            channel: string;
            direction: string | null;
            amount: string;
            currency: string;
            /** Format: date-time */
            occurredAt: string;
            /** Format: date-time */
            receivedAt: string;
            /** @enum {string} */
            status: "QUEUED" | "PROCESSING" | "COMPLETED" | "DEAD_LETTERED";
            /** @enum {string} */
            submissionState: "OPEN" | "ERASED" | "BROKEN";
            origin: components["schemas"]["DossierPartyView"] | null;
            destination: components["schemas"]["DossierPartyView"] | null;
            evaluations: components["schemas"]["DossierEvaluationView"][];
        };
        DossierView: {
            head: components["schemas"]["DossierHeadView"];
            customer: components["schemas"]["DossierCustomerView"] | null;
            cases: components["schemas"]["DossierCaseView"][];
            hits: components["schemas"]["DossierHitView"][];
            communications: components["schemas"]["DossierCommunicationView"][];
            sessions: components["schemas"]["DossierSessionView"][];
            artifacts: components["schemas"]["DossierArtifactView"][];
            transactionCount: number;
            transactions: components["schemas"]["DossierTransactionView"][];
        };
        SubjectPersonView: {
            name: string | null;
            document: string | null;
            externalCustomerId: string | null;
            birthDate: string | null;
            nationalities: string[];
            personType: string | null;
            /** Format: date-time */
            knownSince: string;
        };
        OwnDeclarationView: {
            field: string;
            value: string;
            /** @enum {string} */
            by: "SESSION" | "OPERATOR" | "CLIENT" | "UPLOAD";
            /** Format: date-time */
            at: string;
        };
        OwnAnswerView: {
            question: string;
            answer: string;
        };
        OwnSessionView: {
            name: string;
            /** Format: date-time */
            submittedAt: string | null;
            answers: components["schemas"]["OwnAnswerView"][];
        };
        SubjectFileView: {
            id: string;
            /** @enum {string} */
            kind: "DOCUMENT" | "SELFIE" | "PROOF_OF_ADDRESS" | "ATTACHMENT";
            side: string | null;
            /** @enum {string} */
            mimeType: "image/jpeg" | "image/png" | "image/webp" | "application/pdf";
            /** Format: date-time */
            receivedAt: string;
        };
        SubjectPartyView: {
            name: string | null;
            document: string | null;
            account: string | null;
            country: string | null;
        };
        OwnTransactionView: {
            transactionId: string;
            type: string;
            channel: string;
            direction: string | null;
            amount: string;
            currency: string;
            /** Format: date-time */
            occurredAt: string;
            origin: components["schemas"]["SubjectPartyView"];
            destination: components["schemas"]["SubjectPartyView"];
        };
        SubjectExportView: {
            id: string;
            /** Format: date-time */
            generatedAt: string;
            institution: components["schemas"]["DossierInstitutionView"] | null;
            person: components["schemas"]["SubjectPersonView"];
            declared: components["schemas"]["OwnDeclarationView"][];
            sessions: components["schemas"]["OwnSessionView"][];
            files: components["schemas"]["SubjectFileView"][];
            transactions: components["schemas"]["OwnTransactionView"][];
        };
        BulkItemView: {
            id: string;
            /** @enum {string} */
            result: "WOULD_BE_ASKED" | "ASKED" | "REFUSED";
            code: string | null;
            message: string | null;
            approvalId: string | null;
            transactions: number;
        };
        BulkView: {
            preview: boolean;
            asked: number;
            refused: number;
            items: components["schemas"]["BulkItemView"][];
        };
        BulkDecisionBody: {
            /** @enum {string} */
            resolution: "APPROVED" | "REJECTED" | "FALSE_POSITIVE";
            /** @enum {string} */
            report: "COMMUNICATE" | "ARCHIVE";
            justification: string;
            withoutRelated?: string;
            revision?: number;
            reviewIds: string[];
            /** @default false */
            preview?: boolean;
        };
        BulkDispositionBody: {
            /** @enum {string} */
            disposition: "CONFIRMED" | "DISMISSED_FALSE_POSITIVE" | "ESCALATED";
            justification: string;
            hitIds: string[];
            /** @default false */
            preview?: boolean;
        };
        LanguagesView: {
            "pt-BR": string;
            en: string;
        };
        CaseClockView: {
            /** @enum {string} */
            name: "RESPONSE" | "ANALYSIS" | "REPORT";
            /** Format: date-time */
            at: string;
            secondsLeft: number;
        };
        CaseCountsView: {
            transactions: number;
            hits: number;
            openHits: number;
            notes: number;
            otherOpenCases: number;
        };
        AlertView: {
            transaction: string;
            evaluationVersion: number;
            rule: string | null;
            title: components["schemas"]["LanguagesView"];
            reason: components["schemas"]["LanguagesView"];
            score: number | null;
            amount: string | null;
            rules: string[];
            countries: string[];
            /** Format: date-time */
            at: string;
            lookBack: string | null;
        };
        CaseRowView: {
            id: string;
            /** @enum {string} */
            kind: "SCORE" | "HIT" | "DATA_GAP" | "SESSION" | "MANUAL";
            /** @enum {string} */
            theme: "SCREENING" | "STRUCTURING" | "ACCOUNT_TAKEOVER" | "FRAUD" | "GEOGRAPHY" | "CUSTOMER" | "IDENTITY" | "DATA_GAP" | "OTHER";
            points: number;
            collects: boolean;
            /** @enum {string} */
            status: "OPEN" | "IN_ANALYSIS" | "AWAITING_INFO" | "PENDING_APPROVAL" | "CLOSED" | "MERGED";
            /** @enum {string} */
            priority: "CRITICAL" | "HIGH" | "MEDIUM" | "LOW";
            queue: string;
            customerId: string | null;
            subjectHitId: string | null;
            clientApp: string | null;
            session: string | null;
            riskScore: number | null;
            transactionCount: number;
            revision: number;
            assigneeId: string | null;
            /** Format: date-time */
            assignedAt: string | null;
            reopenedFrom: string | null;
            mergedInto: string | null;
            splitFrom: string | null;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            begunAt: string | null;
            /** Format: date-time */
            selectionDeadline: string;
            /** Format: date-time */
            analysisDeadline: string;
            /** Format: date-time */
            responseDeadline: string | null;
            /** Format: date-time */
            reportDeadline: string | null;
            /** Format: date-time */
            reportedAt: string | null;
            /** Format: date-time */
            dueAt: string;
            overdue: boolean;
            /** @enum {string|null} */
            resolution: "APPROVED" | "REJECTED" | "FALSE_POSITIVE" | null;
            /** @enum {string|null} */
            reportDecision: "COMMUNICATE" | "ARCHIVE" | null;
            approvalId: string | null;
            singleControl: boolean;
            proposedBy: string | null;
            /** Format: date-time */
            proposedAt: string | null;
            closedBy: string | null;
            /** Format: date-time */
            closedAt: string | null;
            /** Format: date */
            retainUntil: string | null;
            title: components["schemas"]["LanguagesView"];
            reason: components["schemas"]["LanguagesView"];
            rule: string | null;
            customerName: string | null;
            partyName: string | null;
            amount: string | null;
            ageSeconds: number;
            clock: components["schemas"]["CaseClockView"] | null;
            assigneeName: string | null;
            proposedByName: string | null;
            closedByName: string | null;
            counts: components["schemas"]["CaseCountsView"];
            alerts?: components["schemas"]["AlertView"][];
            customer?: components["schemas"]["CustomerSummaryView"] | null;
        };
        RunningClockView: {
            /** @enum {string} */
            name: "SELECTION" | "ANALYSIS" | "RESPONSE" | "REPORT";
            /** Format: date-time */
            at: string;
            secondsLeft: number;
        };
        PersonBehindInCaseView: {
            /** @enum {string} */
            role: "OWNER" | "REPRESENTATIVE";
            name: string;
            documentMasked: string | null;
        };
        PartyInCaseView: {
            name: string | null;
            documentMasked: string | null;
            account: string | null;
            country: string | null;
            people: components["schemas"]["PersonBehindInCaseView"][];
        };
        ReasonInCaseView: {
            rule: string;
            points: number;
            group: string;
            title: components["schemas"]["LanguagesView"];
            sentence: components["schemas"]["LanguagesView"];
            observed: string | null;
            threshold: string;
            legalBasis: {
                [key: string]: unknown;
            }[];
        };
        LookedAtView: {
            components: {
                [key: string]: unknown;
            };
            groups: {
                [key: string]: unknown;
            }[];
            dampening: number;
            composition: string;
            nonDefensibleReasons: string[];
            notEvaluated: {
                [key: string]: unknown;
            }[];
            ruleset: string | null;
            receiptHash: string;
        };
        TransactionInCaseView: {
            id: string;
            transactionId: string;
            type: string;
            amount: string;
            currency: string;
            /** Format: date-time */
            occurredAt: string;
            evaluationVersion: number;
            related: boolean;
            /** @enum {string|null} */
            outcome: "APPROVED" | "CHALLENGED" | "REVIEW" | "REJECTED" | null;
            riskScore: number | null;
            defensible: boolean | null;
            channel: string;
            /** @enum {string|null} */
            direction: "IN" | "OUT" | null;
            /** @enum {string} */
            submission: "OPEN" | "ERASED" | "BROKEN";
            origin: components["schemas"]["PartyInCaseView"] | null;
            destination: components["schemas"]["PartyInCaseView"] | null;
            reasons: components["schemas"]["ReasonInCaseView"][];
            lookedAt: components["schemas"]["LookedAtView"] | null;
        };
        HitInCaseView: {
            hit: components["schemas"]["HitView"];
            entry: components["schemas"]["EntryView"] | null;
            decidedByName: string | null;
        };
        PersonInCaseView: {
            customerId: string;
            /** Format: date-time */
            addedAt: string;
            name: string | null;
        };
        EarlierCaseView: {
            id: string;
            theme: string;
            /** @enum {string} */
            status: "OPEN" | "IN_ANALYSIS" | "AWAITING_INFO" | "PENDING_APPROVAL" | "CLOSED" | "MERGED";
            title: components["schemas"]["LanguagesView"] | null;
            resolution: string | null;
            reportDecision: string | null;
            points: number;
            /** Format: date-time */
            openedAt: string;
            /** Format: date-time */
            closedAt: string | null;
        };
        NamedNoteView: {
            id: string;
            /** @enum {string} */
            kind: "REASON" | "NOTE" | "INFO_REQUEST" | "INFO" | "JUSTIFICATION" | "RETURN";
            authorId: string;
            text: string | null;
            artifactIds: string[];
            /** Format: date-time */
            writtenAt: string;
            authorName: string | null;
        };
        NamedEntryView: {
            seq: number;
            action: string;
            actor: string;
            /** Format: date-time */
            occurredAt: string;
            content: {
                [key: string]: unknown;
            };
            actorName: string | null;
        };
        NamedApprovalView: {
            id: string;
            /** @enum {string} */
            act: "dead_letter.discard" | "ruleset.look_back" | "list.look_back" | "client_app.grant" | "client_app.inputs" | "ruleset.publish" | "rule.snooze" | "custom_fields.change" | "fx.import" | "operator.empower" | "operator.invite" | "customer.lower_risk" | "fact.confirm" | "customer.lift_legal_hold" | "customer.erase" | "case.close" | "list.change" | "list.import" | "hit.decide" | "hit.reopen" | "freeze.lift" | "communication.file" | "communication.dismiss" | "flow.publish" | "provider.publish" | "trail.repair" | "log.restart";
            effect: string;
            subjectType: string;
            subjectId: string;
            link: string | null;
            summary?: components["schemas"]["ApprovalSummaryView"] | null;
            before: {
                [key: string]: unknown;
            };
            after: {
                [key: string]: unknown;
            };
            digest: string;
            reason: string;
            /** @enum {string} */
            status: "REQUESTED" | "APPROVED" | "APPLIED" | "REFUSED" | "WITHDRAWN" | "EXPIRED" | "FAILED";
            requestedBy: string;
            /** Format: date-time */
            requestedAt: string;
            /** Format: date-time */
            expiresAt: string;
            decidedBy: string | null;
            /** Format: date-time */
            decidedAt: string | null;
            decisionReason: string | null;
            /** Format: date-time */
            effectiveAt: string | null;
            /** Format: date-time */
            appliedAt: string | null;
            singleControl: boolean;
            undo: string;
            requestedByName: string | null;
            decidedByName: string | null;
        };
        CaseFileView: {
            case: components["schemas"]["CaseRowView"];
            justification: string | null;
            customer: components["schemas"]["CustomerDetailView"] | null;
            clocks: components["schemas"]["RunningClockView"][];
            alerts: components["schemas"]["AlertView"][];
            transactions: components["schemas"]["TransactionInCaseView"][];
            hits: components["schemas"]["HitInCaseView"][];
            sessions: components["schemas"]["SessionEvidenceView"][];
            people: components["schemas"]["PersonInCaseView"][];
            related: components["schemas"]["RelationsView"] | null;
            merged: string[];
            earlierCases: components["schemas"]["EarlierCaseView"][];
            notes: components["schemas"]["NamedNoteView"][];
            timeline: components["schemas"]["NamedEntryView"][];
            /** @enum {string} */
            trailStatus: "COMPLETE" | "PRUNED" | "ATTESTED_GAP" | "MISSING_EVENTS" | "MISSING" | "SEALED_LATE" | "STATE_MISMATCH" | "CHAIN_BROKEN" | "TAMPERED" | "LOG_ROLLED_BACK";
            approvals: components["schemas"]["NamedApprovalView"][];
        };
        CountsView: {
            open: number | null;
            mine: number | null;
            unassigned: number | null;
            overdue: number | null;
            myOverdue: number | null;
            hits: number | null;
            toApprove: number;
            asked: number;
            most: number;
        };
        PersonView: {
            id: string;
            displayName: string;
            /** @enum {string} */
            kind: "PERSON" | "MACHINE";
            worksOnCases: boolean;
        };
        PeopleView: {
            people: components["schemas"]["PersonView"][];
        };
        SavedViewView: {
            id: string;
            name: string;
            query: string;
            shared: boolean;
            mine: boolean;
            ownerName: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        SavedViewsView: {
            views: components["schemas"]["SavedViewView"][];
        };
        SavedIdView: {
            id: string;
        };
        SavedViewBody: {
            name: string;
            query: string;
            /** @default false */
            shared?: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
