// Generated from openapi.yaml by `npm run generate`.

export const operations = {
    getAuthInfo: {
        method: "GET",
        path: "/auth/info",
        summary: "Get authentication info",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                type: "string",
                "api_key?": {
                    shape: {
                        fields: {
                            "created?": "string",
                            "issuing_user?": { fields: { "id?": "string", "email?": "string", "name?": "string" } },
                            "name?": "string",
                            "project?": { fields: { "id?": "string", "name?": "string", "plan_type?": "string" } },
                            "public_key?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "apiKey?": {
                    shape: {
                        fields: {
                            "created?": "string",
                            "issuing_user?": { fields: { "id?": "string", "email?": "string", "name?": "string" } },
                            "name?": "string",
                            "project?": { fields: { "id?": "string", "name?": "string", "plan_type?": "string" } },
                            "public_key?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "oauth?": {
                    shape: {
                        fields: { "user?": { fields: { "id?": "string", "email?": "string", "name?": "string" } } },
                    },
                    ifAbsent: null,
                },
            },
        },
    },
    listProjects: {
        method: "GET",
        path: "/projects",
        summary: "List projects",
        success: 200,
        takes: "seconds",
        answer: { items: { fields: { id: "id", name: { shape: "string", ifAbsent: "" } } } },
    },
    listVpcs: {
        method: "GET",
        path: "/projects/{project_id}/vpcs",
        summary: "List all VPCs",
        success: 200,
        takes: "seconds",
        answer: {
            items: {
                fields: { id: "id", cidr: "string", name: { shape: "string", ifAbsent: "" }, region_code: "string" },
            },
        },
    },
    createVpc: {
        method: "POST",
        path: "/projects/{project_id}/vpcs",
        summary: "Create a VPC",
        success: 201,
        takes: "seconds",
        answer: {
            fields: { id: "id", cidr: "string", name: { shape: "string", ifAbsent: "" }, region_code: "string" },
        },
    },
    getVpc: {
        method: "GET",
        path: "/projects/{project_id}/vpcs/{vpc_id}",
        summary: "Get a VPC",
        success: 200,
        takes: "seconds",
        answer: {
            fields: { id: "id", cidr: "string", name: { shape: "string", ifAbsent: "" }, region_code: "string" },
        },
    },
    deleteVpc: {
        method: "DELETE",
        path: "/projects/{project_id}/vpcs/{vpc_id}",
        summary: "Delete a VPC",
        success: 204,
        takes: "seconds",
    },
    renameVpc: {
        method: "POST",
        path: "/projects/{project_id}/vpcs/{vpc_id}/rename",
        summary: "Rename a VPC",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    listPeerings: {
        method: "GET",
        path: "/projects/{project_id}/vpcs/{vpc_id}/peerings",
        summary: "List VPC peerings",
        success: 200,
        takes: "seconds",
        answer: {
            items: {
                fields: {
                    id: "id",
                    peer_account_id: "string",
                    peer_region_code: "string",
                    peer_vpc_id: "string",
                    "error_message?": { shape: "string", ifAbsent: null },
                    "provisioned_id?": "string",
                    "status?": "string",
                },
            },
        },
    },
    createPeering: {
        method: "POST",
        path: "/projects/{project_id}/vpcs/{vpc_id}/peerings",
        summary: "Create a VPC peering",
        success: 201,
        takes: "seconds",
        answer: {
            fields: {
                id: "id",
                peer_account_id: "string",
                peer_region_code: "string",
                peer_vpc_id: "string",
                "error_message?": { shape: "string", ifAbsent: null },
                "provisioned_id?": "string",
                "status?": "string",
            },
        },
    },
    getPeering: {
        method: "GET",
        path: "/projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id}",
        summary: "Get a VPC peering",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                id: "id",
                peer_account_id: "string",
                peer_region_code: "string",
                peer_vpc_id: "string",
                "error_message?": { shape: "string", ifAbsent: null },
                "provisioned_id?": "string",
                "status?": "string",
            },
        },
    },
    deletePeering: {
        method: "DELETE",
        path: "/projects/{project_id}/vpcs/{vpc_id}/peerings/{peering_id}",
        summary: "Delete a VPC peering",
        success: 204,
        takes: "seconds",
    },
    listServices: {
        method: "GET",
        path: "/projects/{project_id}/services",
        summary: "List all services",
        success: 200,
        takes: "seconds",
        answer: {
            items: {
                fields: {
                    created: "string",
                    name: { shape: "string", ifAbsent: "" },
                    project_id: "string",
                    region_code: "string",
                    resources: {
                        items: {
                            fields: {
                                "id?": "string",
                                "spec?": {
                                    fields: {
                                        "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                        "memory_gbs?": "number",
                                        "volume_type?": "string",
                                    },
                                },
                            },
                        },
                    },
                    service_id: "id",
                    service_type: "string",
                    status: { shape: "string", ifAbsent: "" },
                    "connection_pooler?": {
                        shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                        ifAbsent: null,
                    },
                    "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                    "forked_from?": {
                        shape: {
                            fields: {
                                "is_standby?": { shape: "boolean", ifAbsent: false },
                                "project_id?": "string",
                                "service_id?": "string",
                            },
                        },
                        ifAbsent: null,
                    },
                    "ha_replicas?": {
                        shape: {
                            fields: {
                                "replica_count?": { shape: "number", ifAbsent: 0 },
                                "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                            },
                        },
                        ifAbsent: {},
                    },
                    "initial_password?": "string",
                    "metadata?": {
                        shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                        ifAbsent: {},
                    },
                    "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                    "vpc_endpoint?": {
                        shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                        ifAbsent: null,
                    },
                    "vpcEndpoint?": {
                        shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                        ifAbsent: null,
                    },
                },
            },
        },
    },
    createService: {
        method: "POST",
        path: "/projects/{project_id}/services",
        summary: "Create a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: { shape: "string", ifAbsent: "" },
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: {
                                    "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                    "memory_gbs?": "number",
                                    "volume_type?": "string",
                                },
                            },
                        },
                    },
                },
                service_id: "id",
                service_type: "string",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    shape: {
                        fields: {
                            "is_standby?": { shape: "boolean", ifAbsent: false },
                            "project_id?": "string",
                            "service_id?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "ha_replicas?": {
                    shape: {
                        fields: {
                            "replica_count?": { shape: "number", ifAbsent: 0 },
                            "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                        },
                    },
                    ifAbsent: {},
                },
                "initial_password?": "string",
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "vpc_endpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
                "vpcEndpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
            },
        },
    },
    getService: {
        method: "GET",
        path: "/projects/{project_id}/services/{service_id}",
        summary: "Get a service",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                created: "string",
                name: { shape: "string", ifAbsent: "" },
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: {
                                    "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                    "memory_gbs?": "number",
                                    "volume_type?": "string",
                                },
                            },
                        },
                    },
                },
                service_id: "id",
                service_type: "string",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    shape: {
                        fields: {
                            "is_standby?": { shape: "boolean", ifAbsent: false },
                            "project_id?": "string",
                            "service_id?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "ha_replicas?": {
                    shape: {
                        fields: {
                            "replica_count?": { shape: "number", ifAbsent: 0 },
                            "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                        },
                    },
                    ifAbsent: {},
                },
                "initial_password?": "string",
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "vpc_endpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
                "vpcEndpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
            },
        },
    },
    deleteService: {
        method: "DELETE",
        path: "/projects/{project_id}/services/{service_id}",
        summary: "Delete a service",
        success: 202,
        takes: "minutes",
    },
    startService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/start",
        summary: "Start a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: { shape: "string", ifAbsent: "" },
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: {
                                    "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                    "memory_gbs?": "number",
                                    "volume_type?": "string",
                                },
                            },
                        },
                    },
                },
                service_id: "id",
                service_type: "string",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    shape: {
                        fields: {
                            "is_standby?": { shape: "boolean", ifAbsent: false },
                            "project_id?": "string",
                            "service_id?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "ha_replicas?": {
                    shape: {
                        fields: {
                            "replica_count?": { shape: "number", ifAbsent: 0 },
                            "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                        },
                    },
                    ifAbsent: {},
                },
                "initial_password?": "string",
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "vpc_endpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
                "vpcEndpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
            },
        },
    },
    stopService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/stop",
        summary: "Stop a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: { shape: "string", ifAbsent: "" },
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: {
                                    "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                    "memory_gbs?": "number",
                                    "volume_type?": "string",
                                },
                            },
                        },
                    },
                },
                service_id: "id",
                service_type: "string",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    shape: {
                        fields: {
                            "is_standby?": { shape: "boolean", ifAbsent: false },
                            "project_id?": "string",
                            "service_id?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "ha_replicas?": {
                    shape: {
                        fields: {
                            "replica_count?": { shape: "number", ifAbsent: 0 },
                            "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                        },
                    },
                    ifAbsent: {},
                },
                "initial_password?": "string",
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "vpc_endpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
                "vpcEndpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
            },
        },
    },
    attachToVPC: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/attachToVPC",
        summary: "Attach service to VPC",
        success: 202,
        takes: "minutes",
        answer: { fields: { "message?": "string" } },
    },
    detachFromVPC: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/detachFromVPC",
        summary: "Detach service from VPC",
        success: 202,
        takes: "minutes",
        answer: { fields: { "message?": "string" } },
    },
    resizeService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/resize",
        summary: "Resize a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: { shape: "string", ifAbsent: "" },
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: {
                                    "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                    "memory_gbs?": "number",
                                    "volume_type?": "string",
                                },
                            },
                        },
                    },
                },
                service_id: "id",
                service_type: "string",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    shape: {
                        fields: {
                            "is_standby?": { shape: "boolean", ifAbsent: false },
                            "project_id?": "string",
                            "service_id?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "ha_replicas?": {
                    shape: {
                        fields: {
                            "replica_count?": { shape: "number", ifAbsent: 0 },
                            "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                        },
                    },
                    ifAbsent: {},
                },
                "initial_password?": "string",
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "vpc_endpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
                "vpcEndpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
            },
        },
    },
    enablePooler: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/enablePooler",
        summary: "Enable connection pooler",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    disablePooler: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/disablePooler",
        summary: "Disable connection pooler",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    forkService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/forkService",
        summary: "Fork a service",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: { shape: "string", ifAbsent: "" },
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: {
                                    "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                    "memory_gbs?": "number",
                                    "volume_type?": "string",
                                },
                            },
                        },
                    },
                },
                service_id: "id",
                service_type: "string",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    shape: {
                        fields: {
                            "is_standby?": { shape: "boolean", ifAbsent: false },
                            "project_id?": "string",
                            "service_id?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "ha_replicas?": {
                    shape: {
                        fields: {
                            "replica_count?": { shape: "number", ifAbsent: 0 },
                            "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                        },
                    },
                    ifAbsent: {},
                },
                "initial_password?": "string",
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "vpc_endpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
                "vpcEndpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
            },
        },
    },
    updatePassword: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/updatePassword",
        summary: "Update service password",
        success: 204,
        takes: "seconds",
        secret: "password",
    },
    setEnvironment: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/setEnvironment",
        summary: "Set environment for a service",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    renameService: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/rename",
        summary: "Rename a service",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                created: "string",
                name: { shape: "string", ifAbsent: "" },
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: {
                                    "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                    "memory_gbs?": "number",
                                    "volume_type?": "string",
                                },
                            },
                        },
                    },
                },
                service_id: "id",
                service_type: "string",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    shape: {
                        fields: {
                            "is_standby?": { shape: "boolean", ifAbsent: false },
                            "project_id?": "string",
                            "service_id?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "ha_replicas?": {
                    shape: {
                        fields: {
                            "replica_count?": { shape: "number", ifAbsent: 0 },
                            "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                        },
                    },
                    ifAbsent: {},
                },
                "initial_password?": "string",
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "vpc_endpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
                "vpcEndpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
            },
        },
    },
    getServiceLogs: {
        method: "GET",
        path: "/projects/{project_id}/services/{service_id}/logs",
        summary: "Get service logs",
        success: 200,
        takes: "seconds",
        answer: {
            fields: {
                logs: { items: "string" },
                "entries?": {
                    items: {
                        fields: { message: { shape: "string", ifAbsent: "" }, severity: "string", timestamp: "string" },
                    },
                },
                "last_cursor?": "string",
                "lastCursor?": "string",
            },
        },
    },
    setHA: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/setHA",
        summary: "Change HA configuration",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                created: "string",
                name: { shape: "string", ifAbsent: "" },
                project_id: "string",
                region_code: "string",
                resources: {
                    items: {
                        fields: {
                            "id?": "string",
                            "spec?": {
                                fields: {
                                    "cpu_millis?": { shape: "number", ifAbsent: "shared" },
                                    "memory_gbs?": "number",
                                    "volume_type?": "string",
                                },
                            },
                        },
                    },
                },
                service_id: "id",
                service_type: "string",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "forked_from?": {
                    shape: {
                        fields: {
                            "is_standby?": { shape: "boolean", ifAbsent: false },
                            "project_id?": "string",
                            "service_id?": "string",
                        },
                    },
                    ifAbsent: null,
                },
                "ha_replicas?": {
                    shape: {
                        fields: {
                            "replica_count?": { shape: "number", ifAbsent: 0 },
                            "sync_replica_count?": { shape: "number", ifAbsent: 0 },
                        },
                    },
                    ifAbsent: {},
                },
                "initial_password?": "string",
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
                "metrics?": { fields: { "memory_mb?": "number", "milli_cpu?": "number", "storage_mb?": "number" } },
                "vpc_endpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
                "vpcEndpoint?": {
                    shape: { fields: { "host?": "string", "port?": "number", "vpc_id?": "string" } },
                    ifAbsent: null,
                },
            },
        },
    },
    listReplicaSets: {
        method: "GET",
        path: "/projects/{project_id}/services/{service_id}/replicaSets",
        summary: "Get read replica sets",
        success: 200,
        takes: "seconds",
        answer: {
            items: {
                fields: {
                    id: "id",
                    cpu_millis: "number",
                    memory_gbs: "number",
                    name: "string",
                    nodes: "number",
                    status: { shape: "string", ifAbsent: "" },
                    "connection_pooler?": {
                        shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                        ifAbsent: null,
                    },
                    "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                    "metadata?": {
                        shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                        ifAbsent: {},
                    },
                },
            },
        },
    },
    createReplicaSet: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets",
        summary: "Create a read replica set",
        success: 202,
        takes: "minutes",
        answer: {
            fields: {
                id: "id",
                cpu_millis: "number",
                memory_gbs: "number",
                name: "string",
                nodes: "number",
                status: { shape: "string", ifAbsent: "" },
                "connection_pooler?": {
                    shape: { fields: { "endpoint?": { fields: { "host?": "string", "port?": "number" } } } },
                    ifAbsent: null,
                },
                "endpoint?": { fields: { "host?": "string", "port?": "number" } },
                "metadata?": {
                    shape: { fields: { "environment?": { shape: "string", ifAbsent: "DEV" } } },
                    ifAbsent: {},
                },
            },
        },
    },
    deleteReplicaSet: {
        method: "DELETE",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}",
        summary: "Delete a read replica set",
        success: 202,
        takes: "minutes",
    },
    resizeReplicaSet: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/resize",
        summary: "Resize a read replica set",
        success: 202,
        takes: "minutes",
        answer: { fields: { "message?": "string" } },
    },
    enableReplicaSetPooler: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/enablePooler",
        summary: "Enable pooler for a read replica set",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    disableReplicaSetPooler: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/disablePooler",
        summary: "Disable pooler for a read replica set",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
    setReplicaSetEnvironment: {
        method: "POST",
        path: "/projects/{project_id}/services/{service_id}/replicaSets/{replica_set_id}/setEnvironment",
        summary: "Set environment for a read replica set",
        success: 200,
        takes: "seconds",
        answer: { fields: { "message?": "string" } },
    },
} as const;

export const methods = { GET: "read", POST: "change", DELETE: "deletion" } as const;

export const formats = ["cidr", "date-time", "email", "password"] as const;

export const deprecatedAliases = { apiKey: "api_key", vpcEndpoint: "vpc_endpoint", lastCursor: "last_cursor" } as const;

export const absentMeans = {
    Project: { name: "" },
    AuthInfo: { api_key: null, apiKey: null, oauth: null },
    Vpc: { name: "" },
    Peering: { error_message: null },
    Metadata: { environment: "DEV" },
    ForkedFrom: { is_standby: false },
    HaReplicas: { replica_count: 0, sync_replica_count: 0 },
    Service: {
        name: "",
        status: "",
        connection_pooler: null,
        forked_from: null,
        ha_replicas: {},
        metadata: {},
        read_replica_sets: [],
        vpc_endpoint: null,
        vpcEndpoint: null,
    },
    LogEntry: { message: "" },
    ReadReplicaSet: { status: "", connection_pooler: null, metadata: {} },
} as const;

export const awaited = { Endpoint: { host: true } } as const;

export const secretFields = ["initial_password", "password"] as const;
