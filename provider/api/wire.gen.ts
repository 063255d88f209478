// Generated from openapi.yaml by `npm run generate`.

export interface paths {
    "/auth/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get authentication info */
        get: operations["getAuthInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List projects */
        get: operations["listProjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/vpcs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /** List all VPCs */
        get: operations["listVpcs"];
        put?: never;
        /** Create a VPC */
        post: operations["createVpc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/vpcs/{vpc_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
            };
            cookie?: never;
        };
        /** Get a VPC */
        get: operations["getVpc"];
        put?: never;
        post?: never;
        /**
         * Delete a VPC
         * @description Returns 409 while services are attached to the VPC or it has peerings.
         */
        delete: operations["deleteVpc"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/vpcs/{vpc_id}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rename a VPC */
        post: operations["renameVpc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/vpcs/{vpc_id}/peerings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
            };
            cookie?: never;
        };
        /** List VPC peerings */
        get: operations["listPeerings"];
        put?: never;
        /** Create a VPC peering */
        post: operations["createPeering"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
                /** @description Digits. */
                peering_id: components["parameters"]["PeeringId"];
            };
            cookie?: never;
        };
        /** Get a VPC peering */
        get: operations["getPeering"];
        put?: never;
        post?: never;
        /** Delete a VPC peering */
        delete: operations["deletePeering"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        /**
         * List all services
         * @description May contain entries that represent a replica set, with `forked_from.is_standby` true.
         */
        get: operations["listServices"];
        put?: never;
        /** Create a service */
        post: operations["createService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        /**
         * Get a service
         * @description Also accepts the id of a read replica set, and then returns `forked_from.is_standby` true.
         */
        get: operations["getService"];
        put?: never;
        post?: never;
        /**
         * Delete a service
         * @description Asynchronous. Reads return DELETING, then 404. Returns 409 while the service has read replica sets.
         */
        delete: operations["deleteService"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Start a service */
        post: operations["startService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a service */
        post: operations["stopService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/attachToVPC": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Attach service to VPC */
        post: operations["attachToVPC"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/detachFromVPC": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Detach service from VPC */
        post: operations["detachFromVPC"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/resize": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resize a service */
        post: operations["resizeService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/enablePooler": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enable connection pooler */
        post: operations["enablePooler"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/disablePooler": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disable connection pooler */
        post: operations["disablePooler"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/forkService": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fork a service
         * @description Type, region and storage of the fork come from the parent; its high availability starts at 0.
         */
        post: operations["forkService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/updatePassword": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Update service password */
        post: operations["updatePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/setEnvironment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set environment for a service */
        post: operations["setEnvironment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/rename": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rename a service
         * @description Not in the reference. An older version of the API does not have this operation and returns 404 or 405.
         */
        post: operations["renameService"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        /**
         * Get service logs
         * @description At most 500 entries a page, newest first.
         */
        get: operations["getServiceLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/setHA": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change HA configuration
         * @description Asynchronous; the response shows the configuration before the change is complete.
         */
        post: operations["setHA"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/replicaSets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        /** Get read replica sets */
        get: operations["listReplicaSets"];
        put?: never;
        /** Create a read replica set */
        post: operations["createReplicaSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a read replica set
         * @description Asynchronous. The list shows it as deleting, then no longer contains it.
         */
        delete: operations["deleteReplicaSet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/resize": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resize a read replica set */
        post: operations["resizeReplicaSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/enablePooler": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enable pooler for a read replica set */
        post: operations["enableReplicaSetPooler"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/disablePooler": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Disable pooler for a read replica set */
        post: operations["disableReplicaSetPooler"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/setEnvironment": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set environment for a read replica set */
        post: operations["setReplicaSetEnvironment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            code?: string;
            message?: string;
            /** @description Not in the reference: often says what to do. */
            details?: string;
        };
        NotBlank: string;
        Project: {
            /** @description Unique project identifier. */
            id: string;
            /** @description Project name. */
            name: string;
        };
        ProjectGetResponse: components["schemas"]["Project"][];
        /** @description Exactly one of `api_key` and `oauth` is populated; `type` states which. */
        AuthInfo: {
            type: components["schemas"]["KnownAuthType"] | string;
            api_key?: components["schemas"]["ApiKeyInfo"];
            /**
             * @deprecated
             * @description Use `api_key`.
             */
            apiKey?: components["schemas"]["ApiKeyInfo"];
            oauth?: {
                user?: components["schemas"]["OAuthUser"];
            };
        };
        /** @enum {string} */
        KnownAuthType: "apiKey" | "oauth";
        ApiKeyInfo: {
            /**
             * Format: date-time
             * @description When the credentials were created.
             */
            created?: string;
            issuing_user?: {
                id?: string;
                /** Format: email */
                email?: string;
                name?: string;
            };
            /** @description Name of the credential. */
            name?: string;
            project?: {
                id?: string;
                name?: string;
                plan_type?: string;
            };
            /** @description Public key of the client credentials. */
            public_key?: string;
        };
        OAuthUser: {
            /** @description Numeric user id. */
            id?: string;
            /** Format: email */
            email?: string;
            name?: string;
        };
        /**
         * @description The documented regions. The API decides whether it accepts others.
         * @enum {string}
         */
        KnownRegion:
            | "us-east-1"
            | "us-east-2"
            | "us-west-1"
            | "us-west-2"
            | "ca-central-1"
            | "sa-east-1"
            | "eu-central-1"
            | "eu-west-1"
            | "eu-west-2"
            | "eu-west-3"
            | "eu-north-1"
            | "ap-northeast-1"
            | "ap-south-1"
            | "ap-southeast-1"
            | "ap-southeast-2";
        Vpc: {
            /** @description Unique VPC identifier. */
            id: string;
            /**
             * Format: cidr
             * @description IPv4 CIDR block in address/prefix notation.
             */
            cidr: string;
            /** @description VPC name. */
            name: string;
            /** @description Region hosting the VPC. */
            region_code: components["schemas"]["KnownRegion"] | string;
        };
        VpcListResponse: components["schemas"]["Vpc"][];
        VpcCreateInput: {
            name: string;
            /** Format: cidr */
            cidr: string;
            region_code: string;
        };
        VpcRenameInput: {
            name: string;
        };
        /** @description A VPC peering connection to an external cloud account. */
        Peering: {
            /** @description Unique peering identifier. */
            id: string;
            /** @description Cloud account id of the peer VPC. */
            peer_account_id: string;
            /** @description Region of the peer VPC. */
            peer_region_code: string;
            /** @description Id of the peer VPC. */
            peer_vpc_id: string;
            /** @description Human-readable message when the peering failed. */
            error_message?: string;
            /** @description Provider-assigned identifier of the provisioned peering. */
            provisioned_id?: string;
            /** @description Free text; `active` when traffic can flow. */
            status?: string;
        };
        PeeringListResponse: components["schemas"]["Peering"][];
        PeeringCreateInput: {
            peer_account_id: string;
            peer_region_code: string;
            peer_vpc_id: string;
        };
        /** @enum {string} */
        KnownServiceStatus:
            | "QUEUED"
            | "DELETING"
            | "CONFIGURING"
            | "READY"
            | "DELETED"
            | "UNSTABLE"
            | "PAUSING"
            | "PAUSED"
            | "RESUMING"
            | "UPGRADING"
            | "OPTIMIZING";
        /**
         * @description The API returns the brand's own value instead of TIMESERIESDB.
         * @enum {string}
         */
        KnownServiceType: "TIMESERIESDB" | "POSTGRES" | "VECTOR";
        /** @enum {string} */
        EnvironmentTag: "DEV" | "PROD";
        /** @enum {string} */
        Addon: "time-series" | "ai";
        /** @enum {string} */
        ForkStrategy: "LAST_SNAPSHOT" | "NOW" | "PITR";
        Metadata: {
            /** @description Environment tag. */
            environment?: string;
        };
        Endpoint: {
            host?: string;
            port?: number;
        };
        PoolerEndpoint: {
            host?: string;
            port?: number;
        };
        VpcEndpoint: {
            /** @description Hostname over VPC peering. */
            host?: string;
            port?: number;
            /** @description The VPC the endpoint is associated with. */
            vpc_id?: string;
        };
        ConnectionPooler: {
            endpoint?: components["schemas"]["PoolerEndpoint"];
        };
        ServiceResource: {
            /** @description Resource identifier. */
            id?: string;
            spec?: {
                /** @description CPU allocation in millicores. */
                cpu_millis?: number;
                /** @description Memory in gigabytes. */
                memory_gbs?: number;
                /** @description Type of storage volume. */
                volume_type?: string;
            };
        };
        /** @description Parent of a forked service. */
        ForkedFrom: {
            /** @description Whether the service is a standby of the parent. */
            is_standby?: boolean;
            /** @description The parent's project. */
            project_id?: string;
            /** @description The parent's id. */
            service_id?: string;
        };
        HaReplicas: {
            /** @description Number of HA replicas; all are asynchronous by default. */
            replica_count?: number;
            /** @description Number of synchronous HA replicas. */
            sync_replica_count?: number;
        };
        /** @description Resource usage. */
        Metrics: {
            /** @description Memory usage in MB. */
            memory_mb?: number;
            /** @description CPU usage in millicores. */
            milli_cpu?: number;
            /** @description Storage usage in MB. */
            storage_mb?: number;
        };
        Service: {
            /**
             * Format: date-time
             * @description Creation timestamp.
             */
            created: string;
            /** @description Service name. */
            name: string;
            /** @description Owning project. */
            project_id: string;
            /** @description Cloud region hosting the service. */
            region_code: components["schemas"]["KnownRegion"] | string;
            /** @description Resources allocated to the service. */
            resources: components["schemas"]["ServiceResource"][];
            /** @description Unique service identifier. */
            service_id: string;
            service_type: components["schemas"]["KnownServiceType"] | string;
            status: components["schemas"]["KnownServiceStatus"] | string;
            connection_pooler?: components["schemas"]["ConnectionPooler"];
            endpoint?: components["schemas"]["Endpoint"];
            forked_from?: components["schemas"]["ForkedFrom"];
            ha_replicas?: components["schemas"]["HaReplicas"];
            /**
             * Format: password
             * @description Initial password of the service.
             */
            initial_password?: string;
            metadata?: components["schemas"]["Metadata"];
            metrics?: components["schemas"]["Metrics"];
            /** @description Read replica sets attached to the service. */
            read_replica_sets?: components["schemas"]["ReadReplicaSet"][];
            vpc_endpoint?: components["schemas"]["VpcEndpoint"];
            /**
             * @deprecated
             * @description Use `vpc_endpoint`.
             */
            vpcEndpoint?: components["schemas"]["VpcEndpoint"];
        };
        ServiceListResponse: components["schemas"]["Service"][];
        ServiceCreateInput: {
            name: string;
            addons?: components["schemas"]["Addon"][];
            region_code?: string;
            replica_count?: number;
            cpu_millis?: components["schemas"]["Size"];
            memory_gbs?: components["schemas"]["Size"];
            /** @description DEV when omitted. */
            environment_tag?: components["schemas"]["EnvironmentTag"];
        };
        ServiceRenameInput: {
            name: string;
        };
        /** @description A number in a string, or "shared". */
        Size: string;
        ResizeInput: {
            /** @description New CPU allocation in milli-cores. */
            cpu_millis: components["schemas"]["Size"];
            /** @description New memory allocation in gigabytes. */
            memory_gbs: components["schemas"]["Size"];
        };
        SetHAInput: {
            /** @description Number of HA replicas (asynchronous by default). */
            replica_count?: number;
            /** @description Number of synchronous HA replicas. */
            sync_replica_count?: number;
        };
        ServiceVpcInput: {
            /** @description VPC to attach the service to or to detach it from. */
            vpc_id: string;
        };
        SetEnvironmentInput: {
            environment: components["schemas"]["EnvironmentTag"];
        };
        UpdatePasswordInput: {
            /** Format: password */
            password: string;
        };
        ForkServiceInput: {
            fork_strategy: components["schemas"]["ForkStrategy"];
            /**
             * Format: date-time
             * @description With PITR only.
             */
            target_time?: string;
            /** @description "<parent>-fork" when omitted. */
            name?: string;
            /** @description The parent's when omitted. */
            cpu_millis?: components["schemas"]["Size"];
            /** @description The parent's when omitted. */
            memory_gbs?: components["schemas"]["Size"];
            environment_tag?: components["schemas"]["EnvironmentTag"];
        };
        LogEntry: {
            /** @description Log text. */
            message: string;
            /** @description PostgreSQL severity level, for example LOG, WARNING, ERROR, FATAL. */
            severity: string;
            /**
             * Format: date-time
             * @description RFC 3339.
             */
            timestamp: string;
        };
        ServiceLogsResponse: {
            /** @description Log message strings, kept for backwards compatibility; use `entries`. */
            logs: string[];
            /** @description Structured entries, in the same order as `logs`. */
            entries?: components["schemas"]["LogEntry"][];
            /** @description Opaque cursor for the next page; absent when there are no further results. */
            last_cursor?: string;
            /**
             * @deprecated
             * @description Use `last_cursor`.
             */
            lastCursor?: string;
        };
        /** @enum {string} */
        KnownReplicaSetStatus: "creating" | "active" | "resizing" | "deleting" | "error";
        ReadReplicaSet: {
            /** @description Unique identifier of the set. */
            id: string;
            /** @description CPU allocation in milli-cores. */
            cpu_millis: number;
            /** @description Memory in gigabytes. */
            memory_gbs: number;
            /** @description Name of the set. */
            name: string;
            /** @description Number of nodes in the set. */
            nodes: number;
            status: components["schemas"]["KnownReplicaSetStatus"] | string;
            connection_pooler?: components["schemas"]["ConnectionPooler"];
            endpoint?: components["schemas"]["Endpoint"];
            metadata?: components["schemas"]["Metadata"];
        };
        ReplicaSetRetrieveReplicaSetsResponse: components["schemas"]["ReadReplicaSet"][];
        ReplicaSetCreateInput: {
            name: string;
            nodes: number;
            cpu_millis: number;
            memory_gbs: number;
        };
        ReplicaSetResizeInput: {
            cpu_millis: components["schemas"]["Size"];
            memory_gbs: components["schemas"]["Size"];
            nodes?: number;
        };
        Message: {
            message?: string;
        };
        VpcRenameResponse: components["schemas"]["Message"];
        ServiceAttachToVpcResponse: components["schemas"]["Message"];
        ServiceDetachFromVpcResponse: components["schemas"]["Message"];
        ServiceEnablePoolerResponse: components["schemas"]["Message"];
        ServiceDisablePoolerResponse: components["schemas"]["Message"];
        ServiceSetEnvironmentResponse: components["schemas"]["Message"];
        ReplicaSetResizeResponse: components["schemas"]["Message"];
        ReplicaSetEnablePoolerResponse: components["schemas"]["Message"];
        ReplicaSetDisablePoolerResponse: components["schemas"]["Message"];
        ReplicaSetSetEnvironmentResponse: components["schemas"]["Message"];
    };
    responses: {
        /** @description Accepted; reads show the progress. */
        Accepted: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The service as it is now; the change completes later. */
        Service: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Service"];
            };
        };
        /**
         * @description The request was not carried out. 400 malformed, 401 bad token, 403 not allowed, 404 unknown or already gone,
         *     409 busy or in the wrong state, 429 too many requests. A proxy in front of the API
         *     can return 5XX with HTML or an empty body.
         */
        Error: {
            headers: {
                /** @description Optional, with 429 or 503; seconds or an HTTP date. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description 10 lower-case letters and digits. */
        ProjectId: string;
        /** @description Digits. */
        VpcId: string;
        /** @description Digits. */
        PeeringId: string;
        /** @description 10 lower-case letters and digits. */
        ServiceId: string;
        /** @description 10 lower-case letters and digits. */
        ReplicaSetId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAuthInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The authenticated caller. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthInfo"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listProjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The projects the caller can see. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectGetResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listVpcs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The VPCs of the project. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VpcListResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createVpc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VpcCreateInput"];
            };
        };
        responses: {
            /** @description The VPC. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getVpc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The VPC. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteVpc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The VPC is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    renameVpc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VpcRenameInput"];
            };
        };
        responses: {
            /** @description The VPC is renamed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VpcRenameResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listPeerings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The peerings of the VPC. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PeeringListResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createPeering: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PeeringCreateInput"];
            };
        };
        responses: {
            /** @description The peering; it becomes active later. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Peering"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPeering: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
                /** @description Digits. */
                peering_id: components["parameters"]["PeeringId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The peering. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Peering"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deletePeering: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description Digits. */
                vpc_id: components["parameters"]["VpcId"];
                /** @description Digits. */
                peering_id: components["parameters"]["PeeringId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The peering is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    listServices: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The services of the project. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceListResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceCreateInput"];
            };
        };
        responses: {
            /** @description The service, which is not READY yet. Only this response contains `initial_password`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["Accepted"];
            default: components["responses"]["Error"];
        };
    };
    startService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["Service"];
            default: components["responses"]["Error"];
        };
    };
    stopService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["Service"];
            default: components["responses"]["Error"];
        };
    };
    attachToVPC: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceVpcInput"];
            };
        };
        responses: {
            /** @description The service is being attached. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceAttachToVpcResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    detachFromVPC: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceVpcInput"];
            };
        };
        responses: {
            /** @description The service is being detached. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceDetachFromVpcResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    resizeService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResizeInput"];
            };
        };
        responses: {
            202: components["responses"]["Service"];
            default: components["responses"]["Error"];
        };
    };
    enablePooler: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pooler is enabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceEnablePoolerResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    disablePooler: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pooler is disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceDisablePoolerResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    forkService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForkServiceInput"];
            };
        };
        responses: {
            /** @description The fork, which is not READY yet, with its `initial_password`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    updatePassword: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePasswordInput"];
            };
        };
        responses: {
            /** @description The password is set. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
    setEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetEnvironmentInput"];
            };
        };
        responses: {
            /** @description The environment tag is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceSetEnvironmentResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    renameService: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceRenameInput"];
            };
        };
        responses: {
            /** @description The renamed service. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Service"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getServiceLogs: {
        parameters: {
            query?: {
                /** @description The `last_cursor` of the previous page. */
                cursor?: string;
                /** @description The node whose log is read; the primary when omitted. */
                node?: number;
                /** @description Only entries at or after this time (RFC 3339). */
                since?: string;
                /** @description Only entries before this time (RFC 3339). */
                until?: string;
                /** @description Only entries whose text contains these. */
                search?: components["schemas"]["NotBlank"][];
                /** @description Only entries of these severities. */
                severities?: components["schemas"]["NotBlank"][];
            };
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of log entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceLogsResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    setHA: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetHAInput"];
            };
        };
        responses: {
            202: components["responses"]["Service"];
            default: components["responses"]["Error"];
        };
    };
    listReplicaSets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The read replica sets of the service. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplicaSetRetrieveReplicaSetsResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createReplicaSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplicaSetCreateInput"];
            };
        };
        responses: {
            /** @description The set, which is not active yet. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadReplicaSet"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteReplicaSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["Accepted"];
            default: components["responses"]["Error"];
        };
    };
    resizeReplicaSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplicaSetResizeInput"];
            };
        };
        responses: {
            /** @description The set is being resized. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplicaSetResizeResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    enableReplicaSetPooler: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pooler is enabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplicaSetEnablePoolerResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    disableReplicaSetPooler: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pooler is disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplicaSetDisablePoolerResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    setReplicaSetEnvironment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 lower-case letters and digits. */
                project_id: components["parameters"]["ProjectId"];
                /** @description 10 lower-case letters and digits. */
                service_id: components["parameters"]["ServiceId"];
                /** @description 10 lower-case letters and digits. */
                replica_set_id: components["parameters"]["ReplicaSetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetEnvironmentInput"];
            };
        };
        responses: {
            /** @description The environment tag is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplicaSetSetEnvironmentResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
}
type FlattenedDeepRequired<T> = {
    [K in keyof T]-?: FlattenedDeepRequired<
        T[K] extends unknown[] | undefined | null ? Extract<T[K], unknown[]>[number] : T[K]
    >;
};
type ReadonlyArray<T> = [Exclude<T, undefined>] extends [unknown[]]
    ? Readonly<Exclude<T, undefined>>
    : Readonly<Exclude<T, undefined>[]>;
export const knownAuthTypeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["KnownAuthType"]> = [
    "apiKey",
    "oauth",
];
export const knownRegionValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["KnownRegion"]> = [
    "us-east-1",
    "us-east-2",
    "us-west-1",
    "us-west-2",
    "ca-central-1",
    "sa-east-1",
    "eu-central-1",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "eu-north-1",
    "ap-northeast-1",
    "ap-south-1",
    "ap-southeast-1",
    "ap-southeast-2",
];
export const knownServiceStatusValues: ReadonlyArray<
    FlattenedDeepRequired<components>["schemas"]["KnownServiceStatus"]
> = [
    "QUEUED",
    "DELETING",
    "CONFIGURING",
    "READY",
    "DELETED",
    "UNSTABLE",
    "PAUSING",
    "PAUSED",
    "RESUMING",
    "UPGRADING",
    "OPTIMIZING",
];
export const knownServiceTypeValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["KnownServiceType"]> = [
    "TIMESERIESDB",
    "POSTGRES",
    "VECTOR",
];
export const environmentTagValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["EnvironmentTag"]> = [
    "DEV",
    "PROD",
];
export const addonValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["Addon"]> = ["time-series", "ai"];
export const forkStrategyValues: ReadonlyArray<FlattenedDeepRequired<components>["schemas"]["ForkStrategy"]> = [
    "LAST_SNAPSHOT",
    "NOW",
    "PITR",
];
export const knownReplicaSetStatusValues: ReadonlyArray<
    FlattenedDeepRequired<components>["schemas"]["KnownReplicaSetStatus"]
> = ["creating", "active", "resizing", "deleting", "error"];
